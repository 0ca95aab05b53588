import SwiftSyntax
import SwiftSyntaxBuilder

/// Rewrites a folded tree: each expression that has mutants becomes a choice between them and itself.
final class MutantWriter: SyntaxRewriter {
    private let file: String
    private let excluded: Set<Mutant.Name>
    private let converter: SourceLocationConverter
    private(set) var mutants: [Mutant] = []
    private(set) var next: Int
    private let lines: [Substring]
    private var seen: [Mutant.Name: Int] = [:]

    init(_ tree: SourceFileSyntax, file: String, first: Int, excluding excluded: Set<Mutant.Name>) {
        self.file = file
        self.excluded = excluded
        converter = SourceLocationConverter(fileName: file, tree: tree)
        next = first
        lines = tree.description.split(separator: "\n", omittingEmptySubsequences: false)
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Expressions

    override func visit(_ node: InfixOperatorExprSyntax) -> ExprSyntax {
        let left = node.leftOperand.trimmedDescription
        let right = node.rightOperand.trimmedDescription
        let changes: [Change] =
            switch node.operator.trimmedDescription {
            case "<": [.comparison("\(left) <= \(right)"), .comparison("\(left) >= \(right)")]
            case "<=": [.comparison("\(left) < \(right)"), .comparison("\(left) > \(right)")]
            case ">": [.comparison("\(left) >= \(right)"), .comparison("\(left) <= \(right)")]
            case ">=": [.comparison("\(left) > \(right)"), .comparison("\(left) < \(right)")]
            case "==": [.comparison("\(left) != \(right)")]
            case "!=": [.comparison("\(left) == \(right)")]
            case "&&", "||": [Change(.dropped, right), Change(.dropped, left)]
            case "-": [Change(.swapped, "\(right) - \(left)")]
            default: []
            }
        let claimed = claim(changes, for: node)
        return choice(claimed, otherwise: super.visit(node), like: node)
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> ExprSyntax {
        let isNegation = node.operator.text == "!"
        let claimed = claim(isNegation ? [Change(.negation, node.expression.trimmedDescription)] : [], for: node)
        return choice(claimed, otherwise: super.visit(node), like: node)
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> ExprSyntax {
        let other = node.literal.text == "true" ? "false" : "true"
        return choice(claim([Change(.constant, other)], for: node), otherwise: ExprSyntax(node), like: node)
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> ExprSyntax {
        guard let value = Int(node.literal.text.replacing("_", with: "")) else { return ExprSyntax(node) }
        return choice(claim([Change(.constant, "\(value + 1)")], for: node), otherwise: ExprSyntax(node), like: node)
    }

    override func visit(_ node: ArrayExprSyntax) -> ExprSyntax {
        // `[Int]()` is the name of a type.
        if node.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == ExprSyntax(node).id {
            return ExprSyntax(node)
        }
        let elements = node.elements.map(\.expression.trimmedDescription)
        // Of a long table the first and the last are enough.
        let removed = elements.count > 8 ? [0, elements.count - 1] : Array(elements.indices)
        let changes = removed.map { index in
            var rest = elements
            rest.remove(at: index)
            return Change(.removed, "[\(rest.joined(separator: ", "))]")
        }
        let claimed = claim(changes, for: node)
        return choice(claimed, otherwise: super.visit(node), like: node)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> ExprSyntax {
        // Room that is set aside decides nothing.
        if node.calledExpression.trimmedDescription.hasSuffix("reserveCapacity") { return ExprSyntax(node) }
        let arguments = Array(node.arguments)
        var changes: [Change] = []
        let called = node.calledExpression.trimmedDescription
        // The lesser of two is the same in either order.
        if arguments.count == 2, arguments.allSatisfy({ $0.label == nil }), node.trailingClosure == nil,
            !["min", "max"].contains(called)
        {
            let (first, second) = (arguments[0].expression, arguments[1].expression)
            changes = [Change(.swapped, "\(called)(\(second.trimmedDescription), \(first.trimmedDescription))")]
        }
        let claimed = claim(changes, for: node)
        return choice(claimed, otherwise: super.visit(node), like: node)
    }

    override func visit(_ node: TernaryExprSyntax) -> ExprSyntax {
        let claimed = claim(negations(of: node.condition), for: node.condition)
        guard let visited = super.visit(node).as(TernaryExprSyntax.self) else { return ExprSyntax(node) }
        return ExprSyntax(
            visited.with(\.condition, choice(claimed, otherwise: visited.condition, like: node.condition)))
    }

    // MARK: Conditions

    override func visit(_ node: ConditionElementSyntax) -> ConditionElementSyntax {
        guard case .expression(let condition) = node.condition else { return super.visit(node) }
        let isOneOfSeveral = (node.parent?.as(ConditionElementListSyntax.self)?.count ?? 1) > 1
        let dropped = isOneOfSeveral ? [Change(.dropped, "true")] : []
        let claimed = claim(negations(of: condition) + dropped, for: condition)
        guard case .expression(let visited) = super.visit(node).condition else { return node }
        return node.with(\.condition, .expression(choice(claimed, otherwise: visited, like: condition)))
    }

    override func visit(_ node: WhereClauseSyntax) -> WhereClauseSyntax {
        let claimed = claim(negations(of: node.condition) + [Change(.dropped, "true")], for: node.condition)
        let visited = super.visit(node)
        return visited.with(\.condition, choice(claimed, otherwise: visited.condition, like: node.condition))
    }

    /// The negation of a condition, if its operator has no mutant that does the same.
    private func negations(of condition: ExprSyntax) -> [Change] {
        let text = condition.trimmedDescription
        if let infix = condition.as(InfixOperatorExprSyntax.self),
            ["<", "<=", ">", ">=", "==", "!="].contains(infix.operator.trimmedDescription)
        {
            return []
        }
        if condition.is(PrefixOperatorExprSyntax.self) || condition.is(BooleanLiteralExprSyntax.self) { return [] }
        return [Change(.negation, "!(\(text))")]
    }

    // MARK: Functions

    override func visit(_ node: FunctionDeclSyntax) -> DeclSyntax {
        guard !isInlinable(node.attributes) else { return DeclSyntax(node) }
        guard let body = node.body else { return super.visit(node) }
        let type = node.signature.returnClause?.type
        let claimed = claim(returns(of: type), for: node.name, original: "func \(node.name.text)")
        guard let visited = super.visit(node).as(FunctionDeclSyntax.self), let inner = visited.body else {
            return DeclSyntax(node)
        }
        let statements = prefixed(inner.statements, with: claimed, original: body.statements, isVoid: type == nil)
        return DeclSyntax(visited.with(\.body, inner.with(\.statements, statements)))
    }

    override func visit(_ node: PatternBindingSyntax) -> PatternBindingSyntax {
        guard let type = node.typeAnnotation?.type,
            case .getter(let body)? = node.accessorBlock?.accessors
        else { return super.visit(node) }
        let claimed = claim(
            returns(of: type), for: node.pattern, original: "var \(node.pattern.trimmedDescription)")
        let visited = super.visit(node)
        guard let block = visited.accessorBlock, case .getter(let inner) = block.accessors else { return visited }
        let statements = prefixed(inner, with: claimed, original: body, isVoid: false)
        return visited.with(\.accessorBlock, block.with(\.accessors, .getter(statements)))
    }

    override func visit(_ node: VariableDeclSyntax) -> DeclSyntax {
        isInlinable(node.attributes) ? DeclSyntax(node) : super.visit(node)
    }

    override func visit(_ node: InitializerDeclSyntax) -> DeclSyntax {
        isInlinable(node.attributes) ? DeclSyntax(node) : super.visit(node)
    }

    // MARK: What is left alone

    /// Patterns, raw values, attributes and conditions of compilation take no expression that is worked out at run time.
    override func visit(_ node: ExpressionPatternSyntax) -> PatternSyntax { PatternSyntax(node) }
    override func visit(_ node: EnumCaseDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
    override func visit(_ node: AttributeSyntax) -> AttributeSyntax { node }
    override func visit(_ node: IfConfigDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
    override func visit(_ node: MacroExpansionExprSyntax) -> ExprSyntax { ExprSyntax(node) }

    // MARK: Writing

    private struct Change {
        let kind: Mutant.Kind
        let text: String

        init(_ kind: Mutant.Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }

        static func comparison(_ text: String) -> Change { Change(.comparison, text) }
    }

    /// Gives each change its number, and returns those that are to be written.
    private func claim(
        _ changes: [Change], for node: some SyntaxProtocol, original: String? = nil
    ) -> [(id: Int, change: Change)] {
        let line = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
        return changes.compactMap { change in
            let id = next
            next += 1
            var name = Mutant.Name(
                file: file, kind: change.kind, context: lines[line - 1].trimmingPrefix { $0 == " " }.description,
                original: original ?? flat(node.trimmedDescription), mutated: flat(change.text))
            let before = seen[name, default: 0]
            seen[name] = before + 1
            name.before = before
            guard !excluded.contains(name) else { return nil }
            mutants.append(Mutant(id: id, line: line, name: name))
            return (id, change)
        }
    }

    private func flat(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.joined(separator: " ")
    }

    /// Returns the choice between the changes and the expression, in the place of a node.
    private func choice(
        _ changes: [(id: Int, change: Change)], otherwise expression: ExprSyntax, like node: some ExprSyntaxProtocol
    ) -> ExprSyntax {
        guard !changes.isEmpty else { return expression }
        let text = changes.reversed().reduce("(\(expression.trimmedDescription))") { rest, mutant in
            "(\(Switch.isOn(mutant.id)) ? (\(mutant.change.text)) : \(rest))"
        }
        return ExprSyntax("\(raw: text)").with(\.leadingTrivia, node.leadingTrivia)
            .with(\.trailingTrivia, node.trailingTrivia)
    }

    /// The values that a function of a type can return without looking.
    private func returns(of type: TypeSyntax?) -> [Change] {
        guard let type, type.trimmedDescription != "Void" else { return [Change(.earlyReturn, "return")] }
        if type.trimmedDescription == "Bool" {
            return [Change(.earlyReturn, "return true"), Change(.earlyReturn, "return false")]
        }
        if type.is(OptionalTypeSyntax.self) { return [Change(.earlyReturn, "return nil")] }
        if type.is(ArrayTypeSyntax.self) { return [Change(.earlyReturn, "return []")] }
        return type.is(DictionaryTypeSyntax.self) ? [Change(.earlyReturn, "return [:]")] : []
    }

    /// Returns the statements of a body after the mutants that leave it early.
    private func prefixed(
        _ statements: CodeBlockItemListSyntax, with mutants: [(id: Int, change: Change)],
        original: CodeBlockItemListSyntax, isVoid: Bool
    ) -> CodeBlockItemListSyntax {
        guard !mutants.isEmpty else { return statements }
        let exits = mutants.map { "if \(Switch.isOn($0.id)) { \($0.change.text) }; " }.joined()
        // A single expression is the value of its function; behind another statement it has to be returned.
        let isValue = !isVoid && original.count == 1 && isExpression(original.first)
        let text = exits + (isValue ? "return " : "") + statements.trimmedDescription
        return CodeBlockItemListSyntax("\(raw: text)")
    }

    private func isExpression(_ item: CodeBlockItemSyntax?) -> Bool {
        guard let item, !item.tokens(viewMode: .sourceAccurate).contains(where: { $0.tokenKind == .keyword(.return) })
        else { return false }
        return item.item.is(ExprSyntax.self) || item.item.is(ExpressionStmtSyntax.self)
    }

    private func isInlinable(_ attributes: AttributeListSyntax) -> Bool {
        attributes.contains { $0.trimmedDescription.hasPrefix("@inlinable") }
    }
}
