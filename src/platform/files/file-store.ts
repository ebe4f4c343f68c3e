import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { IsKnown, Quarantine, Sweep, SweepOptions } from './sweep.ts'

/** A file whose content is stored safely but not yet at its final path. */
export interface StagedFile {
  /** Its path once kept: `/uploads/tickets/<2 hex>/<32 hex>.<extension>`, server-relative as in the contract. */
  path: string
  /** The sender's base name, cleaned, at most 255 characters. */
  fileName: string
  /** The MIME type given to `stage`. */
  fileType: string
  fileSizeBytes: number
  /** Lower-case hex. */
  sha256: string
}

/**
 * The store of attachments. Files come first, rows second: stage every file of a request, keep them, then commit; discard them if the
 * transaction fails. `sweep` removes what a crash leaves in between, after a time in quarantine. A store knows the owner of its files
 * (`FileOwner`): those of another installation are never removed.
 */
export interface FileStore {
  /**
   * Stores the content in constant memory; it is flushed when this resolves. A failure leaves nothing behind. The caller still owns the content:
   * after a refusal it is not destroyed but read and dropped, so that the response can be sent. `release` may be called with chunks that the
   * store no longer needs. Throws `FileTooLarge`, `FileStoreFull`, or the error of the content. Like every method it throws
   * `FileStoreUnavailable` if the store cannot be reached or refuses us.
   */
  stage(
    content: Readable,
    file: { fileName: string; fileType: string },
    options: { maxBytes: number; release?: ((chunk: Buffer) => void) | undefined }
  ): Promise<StagedFile>
  /** Moves staged files to their final path, durably; idempotent. After a failure discard them all. Throws `FileStoreFull`. */
  keep(files: Pick<StagedFile, 'path'>[]): Promise<void>
  /**
   * Writes content to a path where it was kept before, in this store or another, and replaces an existing file. Durable and complete when this
   * resolves; a failure changes nothing. Throws `FileStoreFull`, `ForeignFiles` if the existing file is another installation's, or the error
   * of the content. `isNew` tells that there was no file.
   */
  restore(path: string, content: Readable): Promise<Pick<StagedFile, 'fileSizeBytes' | 'sha256'> & { isNew: boolean }>
  /** Removes files that are not kept yet; kept ones stay. */
  unstage(files: Pick<StagedFile, 'path'>[]): Promise<void>
  /** Removes staged, kept or quarantined files. Missing ones are no error. Throws `ForeignFiles` for kept ones of others. */
  discard(files: Pick<StagedFile, 'path'>[]): Promise<void>
  /**
   * The kept content, from byte `start` to `end` inclusive if a range is given, limited to what exists. `sizeBytes` is always the size of the
   * whole. Undefined if there is no such file. The stream must be read to its end or destroyed; the caller owns its chunks.
   */
  open(
    path: string,
    range?: { start: number; end: number }
  ): Promise<{ stream: Readable; sizeBytes: number } | undefined>
  /**
   * A URL at the store itself where anybody can download a kept file for a minute, as an attachment with that name and type. Undefined if the
   * store has none: then we serve the content.
   */
  link(path: string, file: { fileName: string; fileType: string }): Promise<string | undefined>
  /**
   * Removes old unfinished files, and moves old kept files that `isKnown` does not know into quarantine: see `sweepFiles`. Files that a row
   * names are served from there as well, and the next sweep moves them back.
   */
  sweep(isKnown: IsKnown, options: SweepOptions): Promise<Sweep>
  /** The size of the quarantine. */
  quarantine(): Promise<Quarantine>
  /** The id of the installation that owns all files here, if it is another one. Changes nothing. */
  otherOwner(): Promise<string | undefined>
  /**
   * Makes all files here ours. If their owner is another installation or unknown, throws `ForeignFiles` unless there are none, or
   * `evenOfOthers` says that the other one no longer exists.
   */
  claim(options?: { evenOfOthers?: boolean }): Promise<void>
  /** Throws if the store cannot store, keep and remove a file. */
  check(): Promise<void>
}

export class FileTooLarge extends Error {
  override name = 'FileTooLarge'
}

export class FileStoreFull extends Error {
  override name = 'FileStoreFull'
}

/** A remote store that cannot be used now. The message says why, for the log and the operator. */
export class FileStoreUnavailable extends Error {
  override name = 'FileStoreUnavailable'
}

/** The files belong to another installation, which may be using them. The message is one sentence for the operator. */
export class ForeignFiles extends Error {
  override name = 'ForeignFiles'
  constructor(where: string, id: string | undefined) {
    super(
      `The files in ${where} belong to another installation${id ? ` (${id})` : ', or it is not known whose they are'}.`
    )
  }
}

/** The only valid form of a path: nothing in it can leave the store. Groups: folder, name. */
export const filePathPattern = /^\/uploads\/tickets\/([0-9a-f]{2})\/([0-9a-f]{32}\.[a-z0-9]{1,16})$/

/** A path nobody can guess: 128 random bits. */
export function newFilePath(extension: string): string {
  const name = randomBytes(16).toString('hex')
  return `/uploads/tickets/${name.slice(0, 2)}/${name}.${extension}`
}
