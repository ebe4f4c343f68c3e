import type { DataOf, PostPath } from '@deskline/client'
import { keepPreviousData } from '@tanstack/react-query'
import { useApiQuery } from '../../app/api-queries.ts'
import { questionOf, type ReportSearch, spanOf } from './report-search.ts'

type Told<P extends PostPath & `/api/admin/reports/${string}`> = Exclude<DataOf<P>, { url: string }>

type Volume = Told<'/api/admin/reports/volume'>
type Times = Told<'/api/admin/reports/first-response'>
export type Sla = Told<'/api/admin/reports/sla'>
type Csat = Told<'/api/admin/reports/csat'>

/** The five reports of the page, and the volume of the time before. What is shown stays until another filter has its answer. */
export function useReports(search: ReportSearch) {
  const question = questionOf(search)
  const options = { placeholderData: keepPreviousData }
  const before = { ...question, ...spanOf(search.days, 1) }
  const volume = useApiQuery('/api/admin/reports/volume', question, options)
  return {
    volume,
    figures: {
      volume: volume.data as Volume | undefined,
      before: useApiQuery('/api/admin/reports/volume', before, options).data as Volume | undefined,
      firstReply: useApiQuery('/api/admin/reports/first-response', question, options).data as Times | undefined,
      solvedIn: useApiQuery('/api/admin/reports/resolution', question, options).data as Times | undefined,
      sla: useApiQuery('/api/admin/reports/sla', question, options).data as Sla | undefined,
      csat: useApiQuery('/api/admin/reports/csat', question, options).data as Csat | undefined
    }
  }
}

export type Figures = ReturnType<typeof useReports>['figures']
