import type { Me } from '../app/me.ts'

/** Any of the permissions by which somebody sees tickets. */
function handlesTickets({ can }: Me): boolean {
  return (['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] as const).some(can)
}

/** Whether there is any page of the administration for them. */
function seesAdministration(me: Me): boolean {
  return (['staff', 'departments', 'tags', 'trash', 'admins'] as const).some(page => pageAccess[page](me))
}

/** Who may see which page. Links to a page are hidden by the same checks. */
export const pageAccess = {
  staff: ({ can }: Me) => can('staff.view') || can('staff.manage'),
  member: ({ can }: Me) => can('staff.view'),
  departments: ({ can }: Me) => can('departments.view') || can('departments.manage'),
  tickets: handlesTickets,
  tags: handlesTickets,
  macros: ({ can }: Me) => can('tickets.reply') || can('tickets.edit_status'),
  knowledge: ({ can }: Me) => can('tickets.reply') || can('departments.manage'),
  reports: handlesTickets,
  mail: ({ can, profile }: Me) =>
    can('tickets.view_all') && !('departments' in profile && (profile.departments as unknown[] | null)?.length),
  trash: ({ can }: Me) => can('tickets.delete'),
  admins: ({ isAdmin }: Me) => isAdmin,
  administration: seesAdministration
}
