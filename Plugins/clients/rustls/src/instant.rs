//! Instants as the protocol writes them: RFC 3339 in UTC.

/// Returns the seconds since 1970; rustls knows no time before.
pub fn seconds_since_1970(text: &str) -> Result<u64, String> {
    parse(text).ok_or_else(|| format!("'{:.40}' is not an instant since 1970, like 2026-11-01T00:00:00Z", text))
}

fn parse(text: &str) -> Option<u64> {
    let text = text.strip_suffix('Z')?;
    if !text.is_ascii() || text.len() < 19 {
        return None;
    }
    let (whole, fraction) = text.split_at(19);
    let is_fraction = |rest: &str| rest.len() > 1 && rest.starts_with('.') && rest[1..].bytes().all(|b| b.is_ascii_digit());
    let separators: Vec<u8> = [4, 7, 10, 13, 16].iter().map(|place| whole.as_bytes()[*place]).collect();
    if separators != b"--T::" || !(fraction.is_empty() || is_fraction(fraction)) {
        return None;
    }
    let number = |from: usize, to: usize| {
        let digits = &whole[from..to];
        if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            digits.parse::<u64>().ok()
        } else {
            None
        }
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let is_leap = |year: u64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    if year < 1970 || !(1..=12).contains(&month) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    if day < 1 || day > lengths[month as usize - 1] {
        return None;
    }
    let years: u64 = (1970..year).map(|year| if is_leap(year) { 366 } else { 365 }).sum();
    let days = years + lengths[..month as usize - 1].iter().sum::<u64>() + day - 1;
    Some(((days * 24 + hour) * 60 + minute) * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::seconds_since_1970;

    #[test]
    fn reads_instants() {
        assert_eq!(seconds_since_1970("1970-01-01T00:00:00Z"), Ok(0));
        assert_eq!(seconds_since_1970("2000-02-29T12:00:00Z"), Ok(951_825_600));
        assert_eq!(seconds_since_1970("2026-11-01T00:00:00.25Z"), Ok(1_793_491_200));
    }

    #[test]
    fn refuses_other_text() {
        for text in [
            "",
            "2026-11-01",
            "2026-02-29T00:00:00Z",
            "2026-11-01T00:00:00+01:00",
            "1969-12-31T23:59:59Z",
            "+026-11-01T00:00:00Z",
        ] {
            assert!(seconds_since_1970(text).is_err(), "{text}");
        }
    }
}
