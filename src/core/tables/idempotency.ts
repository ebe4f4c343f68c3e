export interface IdempotencyTables {
  idempotency_keys: {
    scope: string
    fingerprint: string
    sealed_answer: string
    people: string[]
    created_at: Date
    expires_at: Date
  }
}
