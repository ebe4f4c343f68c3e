import type { DataOf, Population } from '@deskline/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api-client.ts'

const path = '/api/sso/providers'
export type Provider = DataOf<typeof path>['providers'][number]

export interface WaysToSignIn {
  providers: Provider[]
  /** Staff sign in by a provider or a passkey; by password only admins with a second factor. */
  isPasswordForAdmins: boolean
  /** Whether this browser offers passkeys in the field of the e-mail address, or only when it is asked; undefined where there are none. */
  passkeys: 'offered' | 'asked' | undefined
}

const onlyPassword: WaysToSignIn = { providers: [], isPasswordForAdmins: false, passkeys: undefined }

/** How one may sign in here, with this browser; undefined until it is known. If it cannot be known, by password. */
export function useWaysToSignIn(population: Population): WaysToSignIn | undefined {
  const query = useQuery({ queryKey: [path, population], queryFn: () => ways(population), staleTime: 60_000 })
  return query.data ?? (query.isError ? onlyPassword : undefined)
}

async function ways(population: Population): Promise<WaysToSignIn> {
  const { providers, require_sso_staff, passkey_host } = await post(path, {})
  const own = providers.filter(each => each.population === population)
  return {
    providers: own,
    isPasswordForAdmins: population === 'staff' && require_sso_staff === 1 && own.length > 0,
    passkeys: passkey_host === location.hostname ? await passkeysHere() : undefined
  }
}

async function passkeysHere(): Promise<WaysToSignIn['passkeys']> {
  if (typeof PublicKeyCredential === 'undefined') return undefined
  return (await PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false)) ? 'offered' : 'asked'
}

/** With what somebody comes back from a provider: it stands in the address of the page. */
export interface Arrival {
  /** Why they were not let in, and by which provider. */
  error: string | undefined
  provider: string | undefined
  /** By which an admin finds the refusal. */
  reference: string | undefined
  /** They have a second factor, whose code is asked for here. */
  isAskedForCode: boolean
  /** The page from which they left. */
  returnTo: string | undefined
}

export function useArrival(): Arrival {
  return useState(() => {
    const query = new URLSearchParams(location.search)
    const read = (name: string) => query.get(name) ?? undefined
    return {
      error: read('sso_error'),
      provider: read('provider'),
      reference: read('reference'),
      isAskedForCode: read('sso') === 'code',
      returnTo: read('return_to')
    }
  })[0]
}
