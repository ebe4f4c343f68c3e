import type { DataOf } from '@deskline/client'
import { nameOf } from '../../lib/person-name.ts'

export type StaffSummary = DataOf<'/api/admin/staff/list'>['staff'][number]
export type StaffMember = DataOf<'/api/admin/staff/detail'>['staff']

/** The person as the avatar needs it. */
export function avatarPersonOf(member: { id: number; first_name: string; last_name: string }) {
  return { id: member.id, name: nameOf(member), kind: 'staff' } as const
}
