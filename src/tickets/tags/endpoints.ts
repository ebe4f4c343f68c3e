import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { createTag } from './endpoints/admin-tags-create.ts'
import { deleteTag } from './endpoints/admin-tags-delete.ts'
import { listTags } from './endpoints/admin-tags-list.ts'
import { mergeTags } from './endpoints/admin-tags-merge.ts'
import { updateTag } from './endpoints/admin-tags-update.ts'

export const tagsEndpoints: readonly AnyEndpoint[] = [listTags, createTag, updateTag, mergeTags, deleteTag]
