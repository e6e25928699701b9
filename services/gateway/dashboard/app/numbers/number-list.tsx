import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import type { BusinessNumberSummary } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { Badge, Dot } from '../ui/badge.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Hash } from '../ui/icons/index.ts';
import { Page } from '../ui/page.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Cell, PageTable, Row, Table } from '../ui/table.tsx';
import { businessNumberQuery, routeExplanationQuery } from './business-number-queries.ts';
import { callFlowForm, flowTypeText } from './call-flow-form.ts';
import styles from './number-list.module.css';

/** With more numbers than these the details are left out: each is a request. */
const DETAILED_MAX = 30;

export function NumberList(): ReactNode {
  const numbers = useQuery(businessNumbersQuery);
  return (
    <Page title={t('Numbers')}>
      <QueryState
        query={numbers}
        empty={
          <EmptyState icon={Hash} title={t('Your company has no business number yet.')}>
            {t('Ask your provider for one.')}
          </EmptyState>
        }
      >
        {(list) => (
          <PageTable className={styles['table']}>
            <Table
              label={t('Business numbers')}
              columns={[
                { label: t('Name') },
                { label: t('Number') },
                { label: t('Now') },
                { label: t('Incoming calls') },
                { label: t('Recording') },
              ]}
            >
              {list.map((number) => (
                <NumberRow key={number.id} number={number} isDetailed={list.length <= DETAILED_MAX} />
              ))}
            </Table>
          </PageTable>
        )}
      </QueryState>
    </Page>
  );
}

function NumberRow({ number, isDetailed }: { number: BusinessNumberSummary; isDetailed: boolean }): ReactNode {
  const details = useQuery({ ...businessNumberQuery(number.id), enabled: isDetailed });
  const now = useQuery({ ...routeExplanationQuery(number.id, {}), enabled: isDetailed, staleTime: 60_000 });
  const isOpen = now.data?.within_business_hours;
  const { type } = callFlowForm(details.data?.incoming_call_config ?? null);
  return (
    <Row isLink>
      <Cell isName>
        <Link href={`/${number.id}`}>
          <bdi>{number.name}</bdi>
        </Link>
      </Cell>
      <Cell>
        <PhoneNumber value={number.number} />
      </Cell>
      <Cell>
        {isOpen !== undefined && (
          <Badge tone={isOpen ? 'good' : 'neutral'}>
            <Dot tone={isOpen ? 'good' : 'neutral'} />
            {isOpen ? t('Open now') : t('Closed now')}
          </Badge>
        )}
      </Cell>
      <Cell>{type && flowTypeText(type)}</Cell>
      <Cell>{details.data && (details.data.recording_enabled ? t('On') : t('Off'))}</Cell>
    </Row>
  );
}
