import type { OpenDraft } from '../../app/use-draft.ts'

type Fields = OpenDraft['draft']['fields']

const most = 10

/** The fields of a draft with one more article that was opened from the form, the last ones. */
export function withRead(fields: Fields, id: number): Fields {
  const others = readIn(fields).filter(each => each !== id)
  return { ...fields, readArticles: [...others, id].slice(-most).join(' ') }
}

/** The ids of the articles that were opened while this was written. */
export function readIn({ readArticles = '' }: Fields): number[] {
  return readArticles.split(' ').filter(Boolean).map(Number)
}
