export interface RateLimitTables {
  rate_limits: { key: string; count: number; resets_at: Date }
}
