import { type TObject, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox'

/** The properties of a kind of event. */
export interface KindOfEvent {
  /**
   * Who may read it: only admins (`admin`), staff who see the ticket (`staff`), or also its client (`client`).
   * `desk`: staff who see all tickets; `any staff`: each member of staff.
   */
  readers: 'client' | 'staff' | 'desk' | 'any staff' | 'admin'
  /** Whether it is in the audit log too; the frequent writes of clients are only in the event log. */
  audited: 'always' | 'by staff' | 'never'
  /** Whether it can cause an e-mail notification: see `notificationForClient` and `notificationsForStaff`. */
  notifies?: true
  /** What it carries of the time before and after: ids and small facts, never the words of people. Left out: null. */
  before?: TSchema
  after?: TSchema
  /** The facts that the client of the ticket gets too, if clients may read it. */
  toClients?: readonly string[]
}

/** Facts of an event: these and no others. */
export function facts<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false })
}

/** A number of something, from 0. */
export function Count(example: number): ReturnType<typeof Type.Integer> {
  return Type.Integer({ minimum: 0, examples: [example] })
}

/** Ids of something. */
export function Ids(example: readonly number[]): TUnsafe<readonly number[]> {
  return Type.Unsafe(Type.Array(Type.Integer({ minimum: 1 }), { examples: [[...example]] }))
}

/** Names or texts of our own. */
export function Names(example: readonly string[]): TUnsafe<readonly string[]> {
  return Type.Unsafe(Type.Array(Type.String(), { examples: [[...example]] }))
}

export function Yes(example = true): ReturnType<typeof Type.Boolean> {
  return Type.Boolean({ examples: [example] })
}

/** For admins alone, and in the audit log. */
export const administrative = { readers: 'admin', audited: 'always' } as const
