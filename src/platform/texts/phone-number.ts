import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * A typed phone number as the networks want it (E.164: + and up to 15 digits); one without + is dialled in
 * `defaultCountry` (such as `NL`). Undefined when it has no country or not as many digits as numbers have there. Which
 * numbers are in use is not asked: lists of those age.
 */
export function e164(number: string, defaultCountry: string | undefined): string | undefined {
  return phoneNumber(number, defaultCountry)?.e164
}

/** The same with the country that the number belongs to, where it belongs to one. */
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
