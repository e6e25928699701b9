import { useQuery } from '@tanstack/react-query';
import { employeesQuery } from '../api/shared-queries.ts';
import { useIsLive } from './live-channel.ts';

/** The live channel announces changes; without it nothing does. */
const REFRESH_MS = { live: 30_000, alone: 3000 };

/** All employees, with their statuses as they are. */
export function useEmployees() {
  const isLive = useIsLive();
  return useQuery({ ...employeesQuery, refetchInterval: isLive ? REFRESH_MS.live : REFRESH_MS.alone });
}
