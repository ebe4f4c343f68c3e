import type { SentFile } from './content.ts'

/** The beginning of the tag of a picture: of the attached file with this id, or of none. */
export function pictureTag(fileId: number | undefined): string {
  return fileId === undefined ? '<img' : `<img src="cid:${pictureContentId({ id: fileId })}"`
}

/** The Content-ID of an attached file, by which the HTML shows it. */
export function pictureContentId({ id }: Pick<SentFile, 'id'>): string {
  return `file-${id}@deskline`
}

/** The HTML with the descriptions of the pictures that are not attached in their places. */
export function withoutPictures(html: string, missing: readonly SentFile[]): string {
  return missing.reduce((shown, file) => shown.replaceAll(tagOf(file), (_, alt: string) => alt), html)
}

function tagOf(file: SentFile): RegExp {
  return new RegExp(`<img[^>]* src="cid:${pictureContentId(file)}" alt="([^"]*)" />`, 'g')
}
