import ProbeKit
import ProbeTestSupport
import Testing

/// Keys that an object in JSON has twice.
@Suite(.bounded) struct RepeatedKeyTests {
    @Test(arguments: [
        (#"{"a":1,"b":2,"a":3}"#, "a"), (#"{"a":{"x":1,"x":2}}"#, "x"), (#"[{"a":1},{"b":[{"c":1, "c" : 2}]}]"#, "c"),
        (#"{"a":1,"\u0061":2}"#, "a"), (#"{"a\"b":1,"a\"b":2}"#, "a\"b"), ("{\"ž\":1,\n\"\\u017e\":2}", "ž"),
        (#"{"a":{},"a":{}}"#, "a"), (#"{"":1,"":2}"#, ""),
    ])
    func isFound(_ json: String, _ key: String) {
        #expect(RepeatedKey.first(in: json.utf8) == key)
    }

    @Test(arguments: [
        #"{"a":1,"b":2}"#, #"[{"a":1},{"a":1}]"#, #"{"a":{"a":{"a":"a"}}}"#, #"{"a":"a","b":"a"}"#,
        #"{"a":["x","x"],"b":"\",\"a\":"}"#, #"{"a":"{\"a\":1","b":"\\"}"#, "{}", "[]", "1", "", #"{"A":1,"a":2}"#,
    ])
    func isNotFound(_ json: String) {
        #expect(RepeatedKey.first(in: json.utf8) == nil)
    }

    @Test("what is cut off ends the search") func cut() {
        let json = #"{"a\"":[{"b":"c\\"}],"a\"":1}"#
        // The second key counts once its colon is there: `1}` may be missing.
        for length in 0...json.utf8.count {
            let found = RepeatedKey.first(in: json.utf8.prefix(length))
            #expect(found == (length >= json.utf8.count - 2 ? "a\"" : nil), "\(length)")
        }
    }
}
