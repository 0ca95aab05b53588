extension Requirement {
    static let ecall = [
        row(95, .ecall, "Targets are https and wss URLs alike"),
        row(96, .ecall, "An environment without pins still trusts only what the system trusts"),
        row(97, .ecall, "Each environment has pins of its own"),
        row(98, .ecall, "Each service has pins of its own"),
        row(99, .ecall, "Hosts are taken from the services' URLs"),
        row(100, .ecall, "Pins are chosen by the exact host; a host without pins is what the profile says"),
        row(101, .ecall, "Only the first three certificates may match"),
        row(102, .ecall, "Pins are of raw keys"),
        row(103, .ecall, "No match fails"),
        row(104, .ecall, "Several pins for one service; a set without a backup is remarked on"),
    ]

    static let shared = [
        row(108, .timor, "After a pin mismatch not one byte of a request is sent")
    ]
}
