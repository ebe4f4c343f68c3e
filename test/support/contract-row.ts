/** Who may call an endpoint, as in the contract's Summary; `required` is narrowed for staff by decision 27. */
export type Auth =
  | 'none'
  | 'optional'
  | 'required'
  | 'clients'
  | 'staff'
  | 'admin'
  | readonly string[]
  | { clients: true; or: string }

export interface ContractRow {
  path: string
  aliases: readonly string[]
  auth: Auth
  /** The fields that are reported as missing if the body is empty. */
  required: readonly string[]
}

export function row(
  path: string,
  aliases: readonly string[],
  auth: Auth,
  required: readonly string[] = []
): ContractRow {
  return { path, aliases, auth, required }
}
