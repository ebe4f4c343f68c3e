import { flag, InvalidSetting, integer, optional, secret, text, webAddress } from '../../lib/setting.ts'

/** Where files are stored if not below the data folder (only with S3_BUCKET), and for how long. */
export const fileSettings = {
  FILE_QUARANTINE_DAYS: integer(
    14,
    1,
    365,
    'Number of days that a file without a ticket stays in quarantine before it is deleted; it is restored if a ticket references it again.'
  ),
  S3_BUCKET: optional(
    'The bucket of an S3-compatible store for files, instead of DATA_DIR. Each installation needs its own bucket or ' +
      'S3_PREFIX.',
    bucketName
  ),
  S3_ENDPOINT: optional('The URL of the store (https://s3.example.com). Without it Amazon S3.', endpoint),
  S3_PUBLIC_ENDPOINT: optional('The URL of the store for browsers and other callers, if it differs.', endpoint),
  S3_REGION: text('us-east-1', () => 'us-east-1', 'The region of the bucket.'),
  S3_ACCESS_KEY: secret(
    'The access key of the store. Without it the credentials of the machine (IAM role, AWS variables).',
    oneWord
  ),
  S3_SECRET_KEY: secret('The secret key for S3_ACCESS_KEY.', oneWord),
  S3_PREFIX: text('none', () => '', 'The prefix of all object keys (deskline/).', prefix),
  S3_PATH_STYLE: flag(
    'true when S3_ENDPOINT is given',
    () => false,
    'Whether URLs contain the bucket in the path instead of the host name.'
  ),
  S3_PRESIGNED_DOWNLOADS: flag(
    'false',
    () => false,
    'Whether downloads are redirected to the store, with a presigned URL that is valid for a minute, instead of ' +
      'passing through the service.'
  )
}

/** Errors in the combination of these settings, one sentence each. */
export function fileFaults(isGiven: (name: keyof typeof fileSettings) => boolean): string[] {
  const faults: string[] = []
  if (isGiven('S3_ACCESS_KEY') !== isGiven('S3_SECRET_KEY')) {
    faults.push('S3_ACCESS_KEY and S3_SECRET_KEY must be given together')
  }
  if (isGiven('S3_ENDPOINT') && !isGiven('S3_BUCKET')) faults.push('S3_BUCKET must be given when S3_ENDPOINT is')
  return faults
}

function bucketName(given: string): string {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(given)) return given
  throw new InvalidSetting('must be the name of a bucket: 3 to 63 small letters, digits, dots and dashes')
}

function endpoint(given: string): string {
  const { pathname, search, hash, origin } = webAddress(given)
  if (pathname === '/' && !search && !hash) return origin
  throw new InvalidSetting('must be an address without a path, such as https://s3.example.com')
}

/** Empty, or ending in a slash. */
function prefix(given: string): string {
  const parts = given.split('/').filter(part => part !== '')
  if (parts.every(part => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))) return parts.map(part => `${part}/`).join('')
  throw new InvalidSetting('must be letters, digits, dots, dashes and slashes')
}

function oneWord(given: string): string {
  if (/^[\x21-\x7e]+$/.test(given)) return given
  throw new InvalidSetting('must be one word without blanks')
}
