import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * A phone number in E.164 (+ and up to 15 digits); one without + belongs to `defaultCountry` (such as `NL`). Undefined if it has no country or
 * an impossible length there. Number ranges are not checked, since their lists age.
 */
export function e164(number: string, defaultCountry: string | undefined): string | undefined {
  return phoneNumber(number, defaultCountry)?.e164
}

/** The same with the number's country, if it has one. */
export function phoneNumber(
  number: string,
  defaultCountry: string | undefined
): { e164: string; country: string | undefined } | undefined {
  const parsed = parsePhoneNumberFromString(number, {
    defaultCountry: defaultCountry as CountryCode | undefined,
    extract: false
  })
  return parsed?.isPossible() ? { e164: parsed.number, country: parsed.country } : undefined
}
