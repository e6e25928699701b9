import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { NotFound } from './not-found.tsx';
import { Page } from './page.tsx';

/** What is shown instead of data that is not there yet or could not be read; `children` gets the data. */
export function QueryState<Data>(props: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'> & {
    /** The end of the list says so. */
    readonly isFetchNextPageError?: boolean;
  };
  /** What is being read, as in "Loading contacts…". */
  what: string;
  /** Of a page without data, if its own title is part of them. */
  titleOfFailure?: string;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const { data, error, refetch } = props.query;
  if (error instanceof ApiError && error.isNotFound) return <NotFound />;
  if (data !== undefined) {
    return (
      <>
        {error && !props.query.isFetchNextPageError && <Failure error={error} onRetry={() => refetch()} />}
        {props.children(data)}
      </>
    );
  }
  if (error) {
    const failure = <Failure error={error} onRetry={() => refetch()} />;
    return props.titleOfFailure === undefined ? failure : <Page title={props.titleOfFailure}>{failure}</Page>;
  }
  return (
    <p className="soft" aria-busy="true">
      Loading {props.what}…
    </p>
  );
}

/** Says what failed and what to do. */
export function Failure(props: { error: unknown; onRetry?: (() => unknown) | undefined }): ReactNode {
  return (
    <div className="alert" role="alert">
      <p>{props.error instanceof Error ? props.error.message : 'Something went wrong.'}</p>
      {props.onRetry && (
        <button type="button" className="quiet" onClick={() => void props.onRetry?.()}>
          Try again
        </button>
      )}
    </div>
  );
}
