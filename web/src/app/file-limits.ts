import { defaultLimits, type FileLimits } from '../lib/files.ts'
import { useApiQuery } from './api-queries.ts'

/** How many files the desk takes at once, and how large. */
export function useFileLimits(): FileLimits {
  const known = useApiQuery('/api/desk', {}, { staleTime: Number.POSITIVE_INFINITY })
  return known.data ? { bytes: known.data.max_file_bytes, count: known.data.max_files } : defaultLimits
}
