/** The languages in which Deskline writes to people. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** As it is until an admin says otherwise. */
export const defaultLanguage: Language = 'en'
