import { type Db, prepared } from '../../core/db.ts'

/**
 * Raises the revision of the knowledge base: what is made from a former one, such as a page, is out of date. Changes of it run one after the
 * other from here on, so that categories have no circle and no address is taken twice.
 */
export async function lockKnowledgeBase(db: Db): Promise<void> {
  await raise(db, {})
}

const raise = prepared(db => db.updateTable('kb_state').set(eb => ({ revision: eb('revision', '+', 1) })))
