/// A command that lets its user choose backends, those of other programs among them.
protocol SelectsBackends {
    var selection: BackendSelection { get }
}
