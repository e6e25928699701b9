import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { t } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import { MEDIUM } from './icon.ts';
import { CircleAlert } from './icons/index.ts';
import { NotFound } from './not-found.tsx';
import { Page } from './page.tsx';
import styles from './query-state.module.css';
import { SkeletonRows } from './skeleton.tsx';

/** A placeholder for data that is loading or could not be read; `children` gets the data. */
export function QueryState<Data>(props: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'> & {
    /** The end of the list says so. */
    readonly isFetchNextPageError?: boolean;
  };
  /** The title of a page without data, if its own title is part of them. */
  titleOfFailure?: string;
  /** The shape of what comes; rows unless given. */
  skeleton?: ReactNode;
  /** In place of an empty list. */
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const { data, error, refetch } = props.query;
  if (error instanceof ApiError && error.isNotFound) return <NotFound />;
  if (data !== undefined) {
    return (
      <>
        {error && !props.query.isFetchNextPageError && <Failure error={error} onRetry={() => refetch()} />}
        {props.empty !== undefined && Array.isArray(data) && data.length === 0 ? props.empty : props.children(data)}
      </>
    );
  }
  if (error) {
    const failure = <Failure error={error} onRetry={() => refetch()} />;
    return props.titleOfFailure === undefined ? failure : <Page title={props.titleOfFailure}>{failure}</Page>;
  }
  return props.skeleton !== undefined ? props.skeleton : <SkeletonRows what={t('Loading…')} />;
}

/** Says what failed and what to do. */
export function Failure(props: { error: unknown; onRetry?: (() => unknown) | undefined }): ReactNode {
  return (
    <div className={styles['failure']} role="alert">
      <CircleAlert {...MEDIUM} />
      <p>{props.error instanceof Error ? props.error.message : t('Something went wrong.')}</p>
      {props.onRetry && (
        <Button size="s" onPress={() => void props.onRetry?.()}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}
