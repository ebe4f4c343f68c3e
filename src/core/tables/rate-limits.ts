export interface RateLimitTables {
  guesses: { key: string; count: number; resets_at: Date }
}
