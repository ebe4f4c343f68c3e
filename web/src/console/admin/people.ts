import type { DataOf } from '@deskline/client'

export type StaffSummary = DataOf<'/api/admin/staff/list'>['staff'][number]
export type StaffMember = DataOf<'/api/admin/staff/detail'>['staff']

export function nameOf({ first_name, last_name }: { first_name: string; last_name: string }): string {
  return `${first_name} ${last_name}`.trim()
}

/** As an avatar is drawn of it. */
export function staffPerson(member: { id: number; first_name: string; last_name: string }) {
  return { id: member.id, name: nameOf(member), kind: 'staff' } as const
}
