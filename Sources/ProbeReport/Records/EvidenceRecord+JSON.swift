import ProbeKit

extension EvidenceRecord: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("attempts", attempts)
            $0.field("chain", chain)
            $0.field("dialled", dialled)
            $0.field("dns", dns)
            $0.field("followed", followed)
            $0.field("http", http)
            $0.field("timings", timings)
            $0.field("tls", tls)
            $0.field("trust", trust)
        }
    }
}

extension AttemptRecord: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("failure", failure)
            $0.field("target", target)
        }
    }
}

extension AttemptRecord.Failure: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("code", code)
            $0.field("message", message)
        }
    }
}

extension TimingsRecord: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("connect", connect)
            $0.field("dialogue", dialogue)
            $0.field("dns", dns)
            $0.field("handshake", handshake)
            $0.field("trust", trust)
        }
    }
}

extension CertificateRecord: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("bytes", bytes)
            $0.field("certSHA256", certSHA256)
            $0.field("dnsNames", dnsNames)
            $0.field("error", error)
            $0.field("index", index)
            $0.field("ipAddresses", ipAddresses)
            $0.field("isCA", isCA)
            $0.field("issuer", issuer)
            $0.field("key", key)
            $0.field("notAfter", notAfter)
            $0.field("notBefore", notBefore)
            $0.field("rawKeySHA256", rawKeySHA256)
            $0.field("serial", serial)
            $0.field("signatureAlgorithm", signatureAlgorithm)
            $0.field("source", source)
            $0.field("spkiSHA256", spkiSHA256)
            $0.field("spkiSHA256Base64", spkiSHA256Base64)
            $0.field("stackSPKISHA256", stackSPKISHA256)
            $0.field("subject", subject)
        }
    }
}

extension TLSRecord: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("address", address)
            $0.field("alpn", alpn)
            $0.field("cipherSuite", cipherSuite)
            $0.field("clientCertificateIssuers", clientCertificateIssuers)
            $0.field("clientCertificateRequested", clientCertificateRequested)
            $0.field("clientCertificateRequestedLate", clientCertificateRequestedLate)
            $0.field("clientCertificateSent", clientCertificateSent)
            $0.field("failure", failure)
            $0.field("group", group)
            $0.field("handshakeSCTs", handshakeSCTs)
            $0.field("ocspStaple", ocspStaple)
            $0.field("sni", sni)
            $0.field("version", version)
        }
    }
}

extension TLSRecord.Failure: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("afterHandshake", afterHandshake)
            $0.field("alert", alert)
            $0.field("code", code)
            $0.field("message", message)
            $0.field("nativeCode", nativeCode)
        }
    }
}

extension HTTPRecord: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("date", date)
            $0.field("failure", failure)
            $0.field("skew", skew)
            $0.field("status", status)
            $0.field("version", version)
        }
    }
}

extension TrustRecord: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("anchors", anchors)
            $0.field("at", at)
            $0.field("furtherPaths", furtherPaths)
            $0.field("mode", mode)
            $0.field("native", native)
            $0.field("path", path)
            $0.field("reference", reference)
            $0.field("stores", stores)
        }
    }
}

extension TrustRecord.Store: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("accepted", accepted)
            $0.field("anchor", anchor)
            $0.field("cause", cause)
            $0.field("name", name)
            $0.field("path", path)
        }
    }
}

extension TrustRecord.Anchors: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("count", count)
            $0.field("name", name)
            $0.field("sha256", sha256)
        }
    }
}

extension TrustRecord.Reading: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("accepted", accepted)
            $0.field("cause", cause)
            $0.field("judgesRevocation", judgesRevocation)
            $0.field("path", path)
            $0.field("problems", problems)
        }
    }
}

extension TrustRecord.Reading.Problem: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("cause", cause)
            $0.field("depth", depth)
            $0.field("message", message)
            $0.field("nativeCode", nativeCode)
        }
    }
}
