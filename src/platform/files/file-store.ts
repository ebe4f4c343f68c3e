import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { IsKnown, Quarantine, Sweep, SweepOptions } from './sweep.ts'

/** A file whose content lies safely in the store but is not yet at its final place. */
export interface StagedFile {
  /** Where it will be once kept: `/uploads/tickets/<2 hex>/<32 hex>.<extension>`, server-relative as the contract shows it. */
  path: string
  /** Base name as the sender called it, cleaned, at most 255 characters. */
  fileName: string
  /** MIME type as it was given to `stage`. */
  fileType: string
  fileSizeBytes: number
  /** Lower-case hex. */
  sha256: string
}

/**
 * Where attachments live. Files come first, rows second: stage every file of a request, keep them, then commit; discard them
 * when the transaction fails. What a crash leaves in between, `sweep` takes away, after a time in the quarantine. Every store knows
 * whose its files are (`FileOwner`): those of another installation are never taken away.
 */
export interface FileStore {
  /**
   * Takes the content in at constant memory; it is flushed when this resolves. Any failure leaves nothing behind.
   * The content stays the caller's: after a refusal it is not destroyed but read on to nowhere, so that the sender can be answered.
   * `release` may be told of chunks that the store needs no more.
   * Throws `FileTooLarge`, `FileStoreFull`, or whatever the content failed with. Like everything here it throws
   * `FileStoreUnavailable` where the store cannot be reached or refuses us.
   */
  stage(
    content: Readable,
    file: { fileName: string; fileType: string },
    options: { maxBytes: number; release?: ((chunk: Buffer) => void) | undefined }
  ): Promise<StagedFile>
  /** Moves staged files to their final place, durably; keeping twice is keeping once. After a failure: discard them all. Throws `FileStoreFull`. */
  keep(files: Pick<StagedFile, 'path'>[]): Promise<void>
  /**
   * Puts content at a path where it was kept before, in this store or in another; what lies there already is replaced. Durable and
   * complete when this resolves, else as if it had not been asked. Throws `FileStoreFull`, `FilesOfAnother` where the one that lies
   * there is another installation's, or whatever the content failed with. `isNew` tells that nothing lay there.
   */
  restore(path: string, content: Readable): Promise<Pick<StagedFile, 'fileSizeBytes' | 'sha256'> & { isNew: boolean }>
  /** Forgets files that are not kept yet; kept ones stay. */
  unstage(files: Pick<StagedFile, 'path'>[]): Promise<void>
  /** Forgets files, staged, kept or in the quarantine. Missing ones are no failure. Throws `FilesOfAnother` for kept ones of others. */
  discard(files: Pick<StagedFile, 'path'>[]): Promise<void>
  /**
   * The kept content, from byte `start` to `end` inclusive where a range is given, cut to what is there. `sizeBytes` is always
   * the size of the whole. Undefined when there is no such file. The stream must be read to its end or destroyed;
   * its chunks are the caller's alone.
   */
  open(
    path: string,
    range?: { start: number; end: number }
  ): Promise<{ stream: Readable; sizeBytes: number } | undefined>
  /**
   * An address at the store itself where anybody may fetch a kept file for a minute, as an attachment of that name and type.
   * Undefined where the store gives none: then the content is passed through us.
   */
  link(path: string, file: { fileName: string; fileType: string }): Promise<string | undefined>
  /**
   * Removes old unfinished files, and puts old kept files that `isKnown` does not know into the quarantine: see `sweepFiles`.
   * What a row names is served from there as well, and the next sweep brings it back.
   */
  sweep(isKnown: IsKnown, options: SweepOptions): Promise<Sweep>
  /** How much lies in the quarantine. */
  quarantine(): Promise<Quarantine>
  /** The id of the installation that all files here belong to, where that is another one. Changes nothing. */
  otherOwner(): Promise<string | undefined>
  /**
   * Makes all files here ours, whoever they belonged to. Where that is another installation or not known, it is refused with
   * `FilesOfAnother` unless there are none, or `evenOfOthers` says that the other one is gone.
   */
  claim(options?: { evenOfOthers?: boolean }): Promise<void>
  /** Throws when the store cannot take, keep and forget a file. */
  check(): Promise<void>
}

export class FileTooLarge extends Error {
  override name = 'FileTooLarge'
}

export class FileStoreFull extends Error {
  override name = 'FileStoreFull'
}

/** The store is somewhere else and cannot be used now. The message says why, for the log and the operator. */
export class FileStoreUnavailable extends Error {
  override name = 'FileStoreUnavailable'
}

/** The files belong to another installation, which may be at work on them. The message is one sentence for the operator. */
export class FilesOfAnother extends Error {
  override name = 'FilesOfAnother'
  constructor(where: string, id: string | undefined) {
    super(
      `The files in ${where} belong to another installation${id ? ` (${id})` : ', or it is not known whose they are'}.`
    )
  }
}

/** The only shape of a path that a store ever touches: nothing in it can climb. Groups: folder, name. */
export const filePathPattern = /^\/uploads\/tickets\/([0-9a-f]{2})\/([0-9a-f]{32}\.[a-z0-9]{1,16})$/

/** A path nobody can guess: 128 random bits. */
export function newFilePath(extension: string): string {
  const name = randomBytes(16).toString('hex')
  return `/uploads/tickets/${name.slice(0, 2)}/${name}.${extension}`
}
