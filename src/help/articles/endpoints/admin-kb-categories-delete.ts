import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { CategoryNotFound } from '../categories.ts'
import { CategoryInUse, deleteCategory as removeCategory } from '../change-categories.ts'

export const deleteCategory = endpoint({
  path: '/api/admin/kb/categories/delete',
  aliases: ['/api/admin/kb/categories/:id/delete'],
  summary: 'Delete a category in which nothing is',
  access: { anyOf: ['departments.manage'] },
  about: 'caller',
  body: Type.Object({ id: Id(2), expected_version: ExpectedVersion }),
  errors: [CategoryNotFound, CategoryInUse, VersionConflict],
  async handle({ body, actor, caller, services }) {
    await removeCategory(services, actor, caller, body)
    return { message: 'Category deleted' }
  }
})
