let known = ''

/** The e-mail address that was typed on one of the sign-in pages, to fill it in on the others. */
export function rememberedEmail(): string {
  return known
}

export function rememberEmail(email: string): void {
  known = email.trim()
}
