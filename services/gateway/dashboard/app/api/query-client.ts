import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

const RETRIES_MAX = 2;
/** Doubled each time: a failure is shown, with a way to try again, before one wonders. */
const RETRY_MS = 400;

/** Data of the API, kept while the application is open. The live channel tells what has to be read again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < RETRIES_MAX && (!(error instanceof ApiError) || error.isTemporary),
      retryDelay: (failures) => RETRY_MS * 2 ** failures,
      // A failing network is an error to show, not a reason to wait silently.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
