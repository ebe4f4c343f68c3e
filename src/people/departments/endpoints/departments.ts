import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id, Nullable, OutputText } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { activeDepartments } from '../departments.ts'

/** Lists the departments in which a ticket can be opened (contract: POST /api/departments). */
export const listDepartments = endpoint({
  path: '/api/departments',
  aliases: ['/api/departments/list'],
  summary: 'List the departments that accept tickets',
  access: 'public',
  onlyReads: true,
  data: Type.Object({
    count: Type.Integer({ examples: [4] }),
    departments: Type.Array(
      Type.Object({
        id: Id(),
        deptid: Id(),
        name: OutputText('Technical Support'),
        description: Nullable(OutputText('Help with using and repairing our products and services')),
        is_active: Flag()
      })
    )
  }),
  async handle({ services }) {
    const departments = await activeDepartments(services.db)
    return {
      message: 'Departments retrieved',
      data: {
        count: departments.length,
        departments: departments.map(department => ({ ...department, is_active: bit(department.is_active) }))
      }
    }
  }
})
