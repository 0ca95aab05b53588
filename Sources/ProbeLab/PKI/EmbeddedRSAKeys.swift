/// RSA private keys for tests. They are public: nothing that matters may ever trust them.
///
/// They are embedded because generating an RSA key takes up to seconds, and because swift-crypto refuses to generate the
/// 1024-bit one that shows what a weak key does.
enum EmbeddedRSAKeys {
    /// Returns the PKCS#8 PEM of the key with this id, if there is one.
    static func pem(_ id: LabKeyID) -> String? { all[id] }

    private static let all: [LabKeyID: String] = [
        LabKeyID(.rsa1024, "leaf"): """
        -----BEGIN PRIVATE KEY-----
        MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBAOKHyYx+UM+Kc6vH
        UHm7DdnwR++/ayzJbTFLXPJJHShLhXVDppxRS3ztRyW2dHFDTDVcDx74mKgqR0ir
        o1gArws38FUIix4d+tgMTQtAFizmffgGFUj/ZP+JLarvRDfTRe5CnVJ+EU7UcczI
        pbIczg/Lsyp+Lf02922UKWPNkf1LAgMBAAECgYEAlHqENL4moaISJynBKcjdT1gb
        Dp3c1cJA++p1xaj+n4bAtxfcgOEYJY4w8BsjP4nozaDFmHtBNBhiGNPHgMsR74BB
        RbTCcWvuWD2cV1wOEb6Og7BX1teNAwNoGbx+xIkzB2keu2BPKTeWxokgweFnvham
        eQHTeL0ZL5q/fT28ayECQQD/f/qFCk/6WPevzwKI9rtq0q8bJu6YFwdUvhMM3fN1
        hPVXTR2+fLSFXzyn9FadEsBoNTcj3RBiiuj/G+WNiM2/AkEA4vlLDeherkcNIUY/
        HLCDQ0QZXfQyya+xBWJhSn+f+ijnZamrHIjvzPZ+G0MKGhlhFhXl9DCVxMxeIaIB
        kXtLdQJAOEKXCHqX19mFWNothblG1aPk2Qa+nRDdFWTxTvEErgkD+SBK/2n4WjH5
        akZcWCQL6CZnqOcBt6E84wfiiULpgwJAfhk2A4IHqBc9SjE2uv+tzV82IKac2MRN
        OsqPds402MyE0kxTDkVdxKdlJEw4fot/DsAXw3SCoJVR7qmM6YBwSQJBAPV9agsL
        CN+s2s6DrbYz36Non+179M8UqmzVBAEORzOiME6/d1m7awKxeAIEAAXU2bi4+V3Z
        XHH/EMZFVvmDbO0=
        -----END PRIVATE KEY-----
        """,
        LabKeyID(.rsa2048, "leaf"): """
        -----BEGIN PRIVATE KEY-----
        MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDS3dTVbL/HSZsW
        gNE5cayFzUgavvtqH2/vqk0Ld6POoMXbzJs3FO1rxBlEnp+K+w+Mc5/HR3+ExaO+
        igdpweK1FHJuuNTDQXKp4TFIweHiuo5/rph02bPXXkl/6tff8WsOmIpnMIx9P5Fw
        4I+PcpDJq/04U7PDK5SHVPd3Skx85pczmVBb8XC56KZA7sd5lkLX/BxCgM+O2isQ
        6OX2YVKp60ekynD8CQZN/y7gPG2EAq/W+OgTnbKyOya+tkJapr8jS6PGwLsxaM0z
        zb76aDCho3KxA2nuFs6DwFbxkJQSvXrD4vHstQ6ndVAZjXPjs+gWvDBXBbivp2jT
        ctRO9seNAgMBAAECggEAYx7YmZx9h7nPV6Qk9Xo8TUciYkQtHYT6kq+8eKv8Cbik
        WT5UJe/F7Pboo8tmlqeOdwiw7jVrOWfIIVxzwKBdp54dbnOeu8vrkPRkvN06h+AG
        9PkG/EKLmazeIu2rHT84AkvtHzWAjK2RefxtL1J8wfgBV3VtFkzJjFYB34bC7qCB
        s9gbkFt6HfssdshVGQ4LslsNH+ye/jF7FVB48wDMGCLimE+jjReK8GuVfEVvvl8w
        pV5BqD8LTspTZNkJK5rXHnje/CGOXcM+tG7a2QIitbpkGCZkNGGJvTIE6XRaa7Zc
        C340qwMIr3DFVAmR9ogpN3uGUul4IF4IFdPdlScGFwKBgQDsImlmhdldy2vm6e+1
        pKUElnt8f5D9ujrzeT6j+J+O/S9P8FSWnoNqWm2dNlswHHo4raoQyI8z24PNCsLV
        MZy2AX9KrP5D1R/ZUaXAp+L/ukPE5ztOpwOP0QQjuQ70nAAR9sBebr6jMMKeZ4Rj
        BwEfA0WPIgBfkTMUUhaKWerjAwKBgQDkmzquAUwLZAMk+p/0g+pHAc4Cr/JRRfP6
        +BFyx3DsrB+m0pxrqJBh/F1QEPC3jLIV7BO4QWx56Y3A5O4jEVj1GSwv137xo3Z5
        ifdvqJUOmf2k1Xtvp4n+LYuoHeZekz2Ztv28owoyHwUwUuZkhYJvqgIhVIisgaDF
        o0+nhdReLwKBgBA9MZhuXgt4QNxpfCW2w+5z1twx/aulUgaKcQdfwsFXohhSQ87z
        6b+3plAoe87sNm+NaeOrl0WOtBq2wb1doxRVOAbPrNDHaGBOoCKGqTLDAYQaDtcS
        30jVq/407NVfoRWbLZGQ9iVM5iV0owMYaThTxkXYpcPsvWGJX6l2E5Q3AoGBAIK2
        o5HVGgc1U3r0dzuXpgCd7o6ozjRcfEoXR9rKYS5iqOJ5cIk6Y/wzEaPzW8CICVfx
        mcD0X7NBsRUHkYapp6TVlOdyH5rJLbgHBF1rFne340k57A+Gy6dzoXQqTIvtQv6+
        nE0dKHpKNGxSKnx1voRcwEUQkemZYTVA0Q3nvutvAoGBANaoVMBjVsjtvODxdtyS
        VJKsfJd/DHiQc+JVLcyFfeyqrVkSVZI+UqtwJ8GdULmOd0MPv7yYHSoMuXDaaz7F
        9PuzY5SD93FJ9i1ZOiaN9Qbv+6l4fBZSaKxYcEa/NI15Ipub2onNKqFng+4nNh+D
        +LSBQBOS20sgfGCIsHKusGRQ
        -----END PRIVATE KEY-----
        """,
        LabKeyID(.rsa2048, "renewed"): """
        -----BEGIN PRIVATE KEY-----
        MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQCwEwwWBwXXYdtZ
        3pXTkD4rhM/uGNwvUZJ6Wpk+VIw/Ja6UC8l/ERlFT2Mn/CiAYx3knp51rCRlyt6Y
        hxm/Nn8HJSEuiSmSckhpJHImRXpLQ1l8pcTUu3jIabSqfadsknksKZmQntqgfIeO
        Kol6VjH16gI5RqcNQxPyJWXXCugg6TL2OZU2tdKNAlwr6HH4oQbtmeEaZaOb1UKI
        PkjIrS/0Lr8mJKVYECWThn4hK385UiFPo7SXJejRDGILW3WI3x/cuyLdj2ZxVk18
        NNh/GEncv7lbDpbJNJfIdtgBjefkFr8VbpTXEuTmSmBVm4YpciqMo1ULaNT5wBQE
        MlaH/6kLAgMBAAECggEACSlUjajb4vMSiMCOJy3wLi+A6jCc9FFYP8mLA7U+fuKl
        DMr4NwZavEJ/NEtoiBWgLo8aS6EjW7CMmH8fFdXuEh8adONqKFaN8fqVfexLirL8
        awHtFeyTQkpNvjk/huSwLV4UwXOiiIsyOnF4KcdmXhdI+lX0xzngRc8wV1oX7e5e
        KQe/VjO30KTI9KOwyOldrcuedvJh0Tg9Gey0dfCHMgP8gmf+7G+WD7kn1u0HHplP
        gD7BONn0q1ZIbFIsp1pRodcli48IUxX5ba2al2oJfUTwncRJWiL12XaQU+Ckl0Vn
        GujdXW/HD5bDiu2YCdNPRTnr5SyP15OZ+KHw6yBNsQKBgQDpZpWqcpTCnnJNZeVP
        MEQhibg4dgQHxlyhUEl2SZoclP2J9uK16jl7915ADV3q9ve4ipsfe1h7vnca136f
        eDb4U1TwvEHVRu/ZcqOOc+AKX8A3yjhcQq/WNg9I4YeW8jxlYnpoHEmuQ1PNRs8X
        HauVYvOolNS0fWx8jyM9uvuddQKBgQDBH3zZ9BjNijhAg+YzZ1tZqqc7cWsCttZM
        ErwJs7OluVd0qspRl7DwOxI0KVvqK8yDYQREqNoTCacp4O/U5j4TtJU84z/DJ9NF
        Xiw4ZnYw03NHGw3ZWU0Ng6i9CW4IR7y+RhmKZgR75te1nVo/8YyLNoJlNiGjjaKa
        St/VmuzcfwKBgQCy/1am2qsVuthkXVIIcja+FdWvj2q1373ohR9h1T6YzvbG2Q2z
        gAdH+EVTEC1H5tHCuKIQ+dK5TDAh6MSWXmah+Z655VcDzxxhApdGx705l4deAftJ
        Xmdl/B2qwjPvYqVJB8Zik9c6Cy54zuZBjyKpNbMyRbn/FfWebVQUopMXhQKBgQCU
        jA3S8EkrwIeoSEyHeZbwj612sbToL48CkN6Gb+1dKgU1PjHFNPLqteU4rh9/LhVv
        cO6BiYfEYQZt1hFkJ33UVnD8lqfzCu0dTGSjNVzwDZV8Ojka1+/G12Cxl1FFmTh6
        +xymMfZ8/4Eot1I2ISxD4LfH9i1FyqoqGDG38iUDLQKBgQDflcTeS9B1HRLBV4EP
        Kd+Yt77idFI86O4K6Z9JNJ7ugd/1R61qF+khuFusIz8rjqCSe/M1ssV/oreg0Bx0
        qxfZBwA3DtydizYMg0FSvtW1rJlpoBczy+OxeXG4YzJ3ep6MMhRSRvMy5PchwUOZ
        7uluOeLJ81MDHnEgGmrlj3SnFA==
        -----END PRIVATE KEY-----
        """,
        LabKeyID(.rsa2048, "authority"): """
        -----BEGIN PRIVATE KEY-----
        MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQDNYLWGjDDdvqz2
        q8yg6OzkVDa59Ygb/x4rBBS7FhGXSlwcsVDHqop293NgPQMi+QsLI94XJvKsREg0
        SWZy0mLWj+icaKR+QDXUP7rQkTL5l+FZTDwXIXoTPyiNFm4WNRPX4UeBRX6A1XUS
        m81zQrjFNFP8olQWYrrbYWsSa3LmrK3ASVdLdSk8dOG12Hj1UZEHPexePMpLYON2
        gal/cqaTgAFpDPSI4oF3qxXwiPM0uTxbJwX/khDTAJtWg/JReJZ4ozX9/rn2LruF
        XOgIDsezR0jwg6ItTIdIYffMiK8NJf8HvVBLwW1gKCHl0M+rXW8MI5itdQBGdTD+
        ehrcKD+pAgMBAAECggEAFq6/SbGGzZzLKVCy4FQtYq/e3fWtT0tDQ5S3Lez7ayJI
        L1aRkYXHNmmwvVCrvaN0CepPk27Gp0pAz76KETUle6VH92tSvIterpcNzM52iuyw
        c6545gSZYRINCl0PckYxL3r27OL2HGhG3nPk8l2MfuI/QuQSRakokkVtgAqsNWfq
        /oWEW7t2wptI+lYWOj7vVdw3MP2oewAAR7JlrjfeLFoZ0p054GLQ8DB0OStKkUmS
        cnQuFYtA+Y2P1l+hnGwb4SMieflDAArDwN9o0Xn98kILEN28+RUTOj7YT7VxM4lq
        nMpjE8ZVSsvM48fUOU3k2q2xAViei2ZCA5CbjOyiMQKBgQDoyqUw4VJ7jFgkBa9E
        Jy7U8ELhv20+HC6eLL3ztmceGYjqHG2jWVhdS0v69+MW8A66SmzAdFAw4RZsHj3S
        D7jy4rMTrzSXT2QpRoD6IAOz6zIiRqEb5SDmeHxNwFJYGxjDW1PYnIALxdZUrFz/
        U8DIQBIwfUfD32fk8xAGe675GQKBgQDh2mcfNnba8Gxnr5V9CHzS3YcJQFoQZOvj
        AGVEk4STdrlGO/dxIxDDew50nLvr/tgZK8Q/o22tf7xgqHn5+AG9kFcqp8AEO5/5
        FlNiIpEZZ7aZpQh3lXq2xNVIRSw5GrHL4Vu6KZImtKS+Fp7Dl3g3dIsMtzVX9CpD
        JryKg7z9EQKBgQC+KcwHwgi/JEZcJsilw9xd1mbMQrPaqOrsC2CgVcCmtfVCSTbG
        2ZV1oKzQtu6rLi7ZvzJXhKx9QWIvsASQNIfA4a+nxNgRQqlvjkiOCtj7gIXTuh6h
        yuq1WncwjIq3rmrsKw6zRCTVeSc8xBC0ApbY/n3dXnnhZ/5W6LeOlDq7AQKBgQCy
        FsJrxUmRODVyyOwqTHAI4e9h5yFdfgbW13AC1AOdN+e+LvjdeFX2nmj2oMQ5wZjq
        uC0mNRr9zRRgb1jHN70/mbpyAxaQ/+cTxXv4jOM3UiWVH6H+kZrS1YCMXScS3C7I
        YiovMCpzZMvmq/WCq0R7DeW7IBfrA7fzfW78FgcG0QKBgQCuj96RvKN6M9G2GN/X
        aI8eUZni0kDEen17E8LJjz+AtcNOW+aC7iOyHBZbuiOOjvpHqYnWyrKFMBkkzKm1
        eb9a6nfD97hY53OC0Ktm48BksesDL1OF1dNCMhizBnOS83talADzAlq76q92ySzV
        P8na1gT6nQM2hEpHTtxmWpFTRw==
        -----END PRIVATE KEY-----
        """,
        LabKeyID(.rsa4096, "leaf"): """
        -----BEGIN PRIVATE KEY-----
        MIIJQwIBADANBgkqhkiG9w0BAQEFAASCCS0wggkpAgEAAoICAQCicnwl7e+U902m
        e4rJPA9jhSgb8aO7xZc0Wpi8meYIHmVIrurwiYUV9H1pHDxAxa7ysrWkv3Ii2wgN
        Dv+gcEYMvBZIz2asj8Y6f73gAlMQkSkq3dIlZACTTc/RrRuwj6oQlzusUAaB4lZ0
        ICSfxcmgDi0tbZv5Sr2oeWeyCna5f7wqDFaFZdINd5LbRiewADGbfjABnm19Jg7a
        C0DcXiY3Xrc5Bq9WFRjki7o1uJ6atmg5zPNf03CmQoB4Q42ybZpqtzAbB4nOSzZ/
        x0VO5KDTLKUZEwaEUw8wPZjl4+BBfIiR9PfF4m3QxRcHdM2NekK+rCNJf5bcizGE
        czFgDpQxzvuDY5EHtV2rLdgmIjEcb4gUbl7RfVIM7P4Vxho+XrMtH3R0Fhy2CgzP
        ph9WCdZ2QxggiWE7rDy8Qme2Cnz+FaCHUzIOiLdxFGHXrz8ZNKU5tkDQcZA9o6n5
        ydH+NRE/+Hlzchcsl8Gx4K8cg2W5T8KhMYPSOpfD9NWBkgRDjEszrSioliaTChLM
        0niJpejtkhysXwrM4abhNw2uGLsViXSgsPZ290Um/zyeQSOeUAhp0dyEC9wUNJOv
        XOlRhLomtg43zyURuDiJAGeRhssmDi64oifyNgdWVVmEuE+lAa/1uktBYDQbvqCm
        L6CSCO+xfXQ/c8huYCA6Yf1Mr0QgXwIDAQABAoICACs4AkelEgSz9vjADaCUVhPI
        LW+hzkn6u8u1/sTOvSCT1aaMwvzT2ZCJx4PbezxQW8c+PI1kUd1sIKw4vVHWDQz+
        TX95jnuClN6jdcTPWYIi3K0G7w37mRuXrB7Ay4kh78ESO1IQyGpt6Upj8tp/KLFo
        lCRt8P1WITdddXUsy4F2tn0JY0uCV2w1z+B+vbhZlNklrWgA2mhdY74nGE6IzeoV
        TPHjEWr5mfHUKup3/9pxhTE7kdSA0IurTbqxXlWGS3rw2d+XFdbIs+sy/QGMWi1U
        x2fwY994qaXP/YnMIrHJjBwo7HK9VzIf/YyCSt3FFVTdP1Yil+R9M+NlMlG4Dzz0
        MVs8Qp1StL3GvEobDmLiMLN+JIUexYzwDx2I8OaPKVsGb14BLqGeheLWxR55EOkY
        s8hyD3FccIGlLQKAT+qFGmODjj5dovxGIDx/Bvh8QfIQyjpQ9YybKUR2avcc6JZm
        FNC+T3SlyHiO3htw3Tg6ZW7EuhN6UuPftLtT1C2Ow+S9VmhXNcjgys8qAMrOCbSG
        W0q2FxrHgCp1AU84VA3zqqN89vEAtzi7octTdIHbLb87jilVX+01w7ljtJxVW1/6
        j6JxmwQ2O2yYK6bRHi6k6QXq1PxqngbiGFLdODg/2js6MEWn1AH6F3lzfgG99JlH
        eQQ279aabZ97sLiCRJVhAoIBAQDgKL6tykOSq5Jb+HNErR7raFuvScEm2GLaFWxC
        lv1F41uXSA9r8WRHaWouEklnkhHK032+TdkcKgIrBW7S0pOtcxDoj+5Km5NcO7xX
        +QTV/9HBezmjVrHbzHM8OQQGpszwgcI/v/RsxPs0Phe0zbskadol2FrRBbkLROIw
        C7KqSZwEYwIBovtCqnYmZqUl7U+P/e0kB3M1zDdR6YD+K+sMmsXoMeXLM3oyuV/9
        0xe46lZqSsYL3xBXom9//4AREj5MFcDyLY6Acb00HlmDJ9+0DJA+0hrH+44AbYLf
        E86qpQFXqvgIPL1hqDiS1WU+qYDSew9xhIfCB+/SnHpz8d/1AoIBAQC5hapgLldK
        itvd4gkW0/Nn/7CKlAwAkvsYqdt9x71d4OBkuYNBJv2zunT2uu2IuqQbwcVMhCc/
        hzb7vgSKYSOQkeFVaAPCwgqSb/MQRzPcHUv2ADa8m6jITsLBSZygtPyYGaei+umh
        BCNF+pZLRA2P3dcqFDxxSbcCVvb/jF3c4B/GcVmQBPjC8uGN8Uk8yhIsaGCoC9pt
        B5AJf38fy/nOLpzyyDz1rsEEvO4yZy0IeGynVB9SIb3VSzwc1wY4Zw0mYQvIJ8Lc
        oma7MTam8tsvUyevdtu5EN60qXP+xmqSNIxestjgQIS9vA+4SWyhEhvRaD+wsJXz
        A4glx8U1bq6DAoIBAQDK93m4CPXof1v11OAiZhMiGosyC7lOAA554330SZ0pQ/Vx
        5Li6B4fCNYwEDWDT2+oqWhd4UirtGoh+BdxUHoHDQvYjbffZLEdg82HV0k/zqUB3
        Talh4aUIHXaWKBYiI7RbbVLCwH+EYVQH+NUkTEhQb1wselu4+dKUhpm74Uu0bxRK
        0I9Hhhi2Q3zZxoVw8xDgk46+2dQS+Ud57tFy07dv4VCjr1KgDItwFHP7c8D+GYmH
        kw8CPscgYp9NKb7/NiKcZ/IeFuv6F4K3B2gLnvYqpFmT2FCRlY/9iSs/7EJsNx4h
        EFintL/SBiy7n2eeNoLDktPn+JWoNeGMNU2XYIJlAoIBAQCeGl5vJy729M2ZEyeh
        z7EQwSOHhdGQr7HTe/X1BELKfXld/YbxADSXdWB2YClMK5rtmL32jm0QQ8BE29Ps
        xgnUC65X5ZPG5yyxTTx8c+GrRUBV/iqno5Q8WHq61GvpvTPCv6JQT7rIoMkauwpY
        TD+uimTylFpKRYL0OH64m7vmHw6VREYKaWJCaVB1cdpzNtY0CCPPMoLMBfTnU0NY
        KrHR14GjmafxzCLsUcJBLBKBtHcMRrGGggDQhBRPk6PWb2QSgAPVaKU0+CXKg49K
        yY6njxsz+nwYBFt25S5YQmnR/Xxeu9X9jp5RP7K538D2p4MTe99DScoQVsMxR0U2
        WwPXAoIBAEgz9rUzTvQgJOubO7dZWJn/RvT3+PnatVIPxKY/ct3NxRbs9vOc5kmY
        HxaQGKxb2D98mDATPXZO3sQ8uEEX3uxsfopVDXwKG3F+qQHXGgPvc2d49RnTS99C
        iUdnCGwGUTcBuIZK01AXoX2ad7QPvA1TkS5KlnZ6kfFUECOdjWbG6JM2h/f4tg5H
        fmu/rG0UbXIWRSz4nv1I4nxc11MxnffxtmYPcPNNAMjrBivjF4nYh3c+YyhjEyd7
        xjCUxD5rDGE68pxzrFk7qpDgDdWhqeWE7HPVslqbmzf0C+KUusxv6dJyV6dCHNQn
        28WkVX/jyFCSa7B8T6sff8ddn3JetBk=
        -----END PRIVATE KEY-----
        """,
    ]
}
