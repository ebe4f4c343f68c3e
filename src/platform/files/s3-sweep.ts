import { CopyObjectCommand, DeleteObjectCommand, GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { ForeignFiles, filePathPattern } from './file-store.ts'
import { isMissing, type S3Bucket } from './s3-client.ts'
import type { FileOwner, Sweepable } from './sweep.ts'

/** The metadata key with the owner's id. */
export const installationName = 'deskline-installation'

/** A bucket with the prefix of our keys in it, and the owner of our files. */
export interface S3Places {
  bucket: S3Bucket
  /** The prefix of every key: empty, or ending in a slash. */
  prefix: string
  owner: FileOwner
}

export function keyOf({ prefix }: S3Places, path: string): string {
  return `${prefix}${path.slice(1)}`
}

export function quarantineKeyOf({ prefix }: S3Places, path: string): string {
  return `${prefix}quarantine/${path.slice('/uploads/'.length)}`
}

/** The metadata of an object; undefined if there is none. */
export async function metadataOf({ bucket }: S3Places, key: string) {
  const place = { Bucket: bucket.name, Key: key }
  try {
    return await bucket.send(new HeadObjectCommand(place))
  } catch (error) {
    if (isMissing(error)) return undefined
    // A HEAD response has no body that could contain the reason, so a GET asks for it.
    const { Body } = await bucket.send(new GetObjectCommand(place))
    ;(Body as { destroy?(): void } | undefined)?.destroy?.()
    throw error
  }
}

export async function removeKey({ bucket }: S3Places, key: string): Promise<void> {
  await bucket.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: key }))
}

/** Whether there is an object with this path; throws `ForeignFiles` if it is another installation's. */
export async function existsAndIsOurs(places: S3Places, path: string): Promise<boolean> {
  const found = await Promise.all(
    [keyOf(places, path), quarantineKeyOf(places, path)].map(key => metadataOf(places, key))
  )
  const { owner, bucket, prefix } = places
  for (const head of found) {
    if (!head) continue
    const id = head.Metadata?.[installationName]
    // Older objects have no owner; they are ours, unless an original with the same claim may exist.
    const isOurs = id ? isOne(owner, id) : owner.copiedFrom.length === 0
    if (!isOurs) throw new ForeignFiles(`the S3 bucket ${bucket.name} below ${prefix || '/'}`, id)
  }
  return found[0] !== undefined
}

/** The parts of a bucket that a sweep works on. */
export function sweepableBucket(places: S3Places): Sweepable {
  const { bucket, prefix, owner } = places
  const uploads = `${prefix}uploads/tickets/`
  const quarantine = `${prefix}quarantine/tickets/`
  const pathOf = (key: string, folder: string) => `/uploads/tickets/${key.slice(folder.length)}`

  return {
    // Each object names its own owner.
    async otherId() {
      return undefined
    },
    async isClaimed() {
      return true
    },
    async claim() {},

    async *kept(before) {
      for await (const objects of bucket.objects(uploads)) {
        const old = objects.filter(({ since }) => since.getTime() <= before.getTime())
        const paths = old.map(({ key }) => pathOf(key, uploads)).filter(path => filePathPattern.test(path))
        if (paths.length > 0) yield paths
      }
    },

    async isOurs(path) {
      const id = (await metadataOf(places, keyOf(places, path)))?.Metadata?.[installationName]
      return id !== undefined && isOne(owner, id)
    },

    async isOlder() {
      return true
    },

    // If interrupted in between, both exist until the next sweep repeats this.
    async quarantine(path) {
      return await moved(keyOf(places, path), quarantineKeyOf(places, path))
    },

    async *quarantined() {
      for await (const objects of bucket.objects(quarantine)) {
        const files = objects.map(({ key, ...file }) => ({ ...file, path: pathOf(key, quarantine) }))
        const ours: typeof files = []
        for (const file of files.filter(({ path }) => filePathPattern.test(path))) {
          const id = (await metadataOf(places, quarantineKeyOf(places, file.path)))?.Metadata?.[installationName]
          if (id && isOne(owner, id)) ours.push(file)
        }
        yield ours
      }
    },

    async bringBack(path) {
      return await moved(quarantineKeyOf(places, path), keyOf(places, path))
    },

    async remove(path) {
      await removeKey(places, quarantineKeyOf(places, path))
      return true
    },

    async removeUnfinished(before) {
      let removed = 0
      for await (const { since, abort } of bucket.unfinished(uploads)) {
        if (since.getTime() > before.getTime()) continue
        await abort()
        removed++
      }
      return removed
    }
  }

  /** A copy keeps the metadata; its time is that of copying. False if another process has done it. */
  async function moved(from: string, to: string): Promise<boolean> {
    try {
      const source = `${bucket.name}/${from.split('/').map(encodeURIComponent).join('/')}`
      await bucket.send(new CopyObjectCommand({ Bucket: bucket.name, Key: to, CopySource: source }))
      await removeKey(places, from)
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }
}

function isOne({ id, formerIds }: FileOwner, other: string): boolean {
  return other === id || formerIds.includes(other)
}
