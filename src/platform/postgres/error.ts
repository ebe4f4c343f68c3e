/** An error of the embedded database; its message is one plain sentence for the operator, printed as it is. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}

/** The sentence for an unusable data folder; other errors are returned unchanged. */
export function folderFailure(error: unknown, dataDir: string): unknown {
  const { code = '', path } = error as NodeJS.ErrnoException
  const isOurs = path?.startsWith(dataDir) || (path && dataDir.startsWith(path))
  // A write error of an open file has no path.
  if (['ENOSPC', 'EDQUOT'].includes(code) && (isOurs || !path)) return diskIsFull(dataDir)
  if (!isOurs) return error
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
    return new EmbeddedError(`Deskline may not write to ${path}: make it writable, or set DATA_DIR to another folder.`)
  }
  if (['ENOTDIR', 'EEXIST', 'ELOOP'].includes(code)) {
    return new EmbeddedError(`${dataDir} is not a folder: set DATA_DIR to a folder for Deskline's data.`)
  }
  return error
}

export function diskIsFull(dataDir: string): EmbeddedError {
  return new EmbeddedError(`No room is left on the disk of ${dataDir}: free some, or set DATA_DIR to another folder.`)
}
