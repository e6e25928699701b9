import { endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { periodQuery } from '../reports/report-endpoints.ts';
import { csvFile } from '../shared/csv-file.ts';
import { openList } from '../shared/long-list.ts';
import { callRecordCells, callRecordColumns } from './call-record-csv.ts';
import { callFilterMessage, callFilters } from './list-calls.ts';

export const exportCalls = ({ callRecords, reports }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'get',
    path: '/calls/export.csv',
    tag: 'Calls',
    summary: 'Export calls',
    description:
      'A CSV file (RFC 4180) with a line for each call that started in the time, newest first. A text that a spreadsheet would take for a formula has an apostrophe in front; a phone number has none. Several employees are separated by semicolons, in the order they joined.',
    query: z.object({
      ...periodQuery,
      ...callFilters,
      business_number_id: z.string().max(100).optional().describe('As in reports; the same as `main_number_id`'),
      employee_id: z.string().max(100).optional().describe('Only what the employee took part in'),
    }),
    responses: { 200: 'text/csv' },
    errors: [422],
    async handle({ query, context, requestId }) {
      const { from = '', to = '', timezone = '' } = query;
      const period = await reports.getReportPeriod({ from, to, timezone }, { as: context });
      const filter = callFilterMessage(query);
      const request = {
        ...filter,
        mainNumberId: query.business_number_id ?? filter.mainNumberId,
        employeeId: query.employee_id,
        startedFrom: period.beginsAt,
        startedBefore: period.endsAt,
      };
      const chunks = await openList(
        { context, requestId },
        (options) => callRecords.streamCallRecords(request, options),
        (response) => response.callRecords,
      );
      return csvFile(`calls_${period.from}_${period.to}.csv`, callRecordColumns, chunks, callRecordCells);
    },
  });
