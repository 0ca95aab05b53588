module probe/go-tls

go 1.19
