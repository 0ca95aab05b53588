/// Days of the Gregorian calendar, and their numbers from 1970-01-01 on. Before 1582 it is the same calendar, as RFC 3339
/// has it, where Foundation's is Julian.
///
/// Years that begin in March end with the leap day; 400 of them, an era, have 146 097 days.
enum GregorianDay {
    /// Returns the number of a day; nil if there is none like it.
    static func number(year: Int, month: Int, day: Int) -> Int? {
        guard (1...12).contains(month), (1...days(in: month, of: year)).contains(day) else { return nil }
        let yearFromMarch = month < 3 ? year - 1 : year
        let monthFromMarch = month < 3 ? month + 9 : month - 3
        let era = (yearFromMarch < 0 ? yearFromMarch - 399 : yearFromMarch) / 400
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns the day with a number.
    static func day(_ number: Int) -> (year: Int, month: Int, day: Int) {
        let fromMarch = number + 719_468
        let era = (fromMarch < 0 ? fromMarch - 146_096 : fromMarch) / 146_097
        let dayOfEra = fromMarch - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // The months from March on have 31, 30, 31, 30 and 31 days, and so on.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            era * 400 + yearOfEra + (month < 3 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
