import CProbeCurl

/// Sole owner of a list of strings.
@safe final class CurlList {
    let pointer: UnsafeMutablePointer<curl_slist>?

    init(_ strings: [String]) throws(CurlError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for string in strings {
            guard let longer = unsafe curl_slist_append(list, string) else {
                unsafe curl_slist_free_all(list)
                throw CurlError(CURLE_OUT_OF_MEMORY)
            }
            unsafe list = longer
        }
        unsafe pointer = list
    }

    deinit {
        unsafe curl_slist_free_all(pointer)
    }

    /// Returns the strings of a list that libcurl owns.
    static func strings(of list: UnsafeMutablePointer<curl_slist>?) -> [String] {
        var strings: [String] = []
        var next = unsafe list
        while let item = unsafe next {
            if let data = unsafe item.pointee.data { strings.append(unsafe String(cString: data)) }
            unsafe next = item.pointee.next
        }
        return strings
    }
}
