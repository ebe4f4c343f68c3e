/** The catalogue of the contract, in its order. The table `permissions` holds the same rows; a test compares them. */
export const permissionSlugs = [
  'clients.view',
  'clients.create',
  'clients.edit',
  'clients.delete',
  'tickets.view_all',
  'tickets.reply',
  'tickets.edit_status',
  'tickets.delete',
  'departments.view',
  'departments.manage',
  'staff.view',
  'staff.manage'
] as const

export type Permission = (typeof permissionSlugs)[number]
