import { useApiQuery } from '../../../app/api-queries.ts'

const openStatuses = ['Open', 'In Progress', 'Answered', 'Customer-Reply'] as const

/** How many open tickets are assigned to somebody; undefined until it is known. */
export function useOpenTickets(staffId: number): number | undefined {
  const tickets = useApiQuery('/api/admin/tickets/list', {
    assigned_staff_id: staffId,
    status: [...openStatuses],
    limit: 1
  })
  return tickets.data?.total
}
