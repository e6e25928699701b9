import { describe, expect, it } from '@jest/globals';
import { testCheck, testResult } from '../../test/test-checks.ts';
import type { Mutation } from '../mutations/mutation.ts';
import { reporters } from './index.ts';
import type { Report } from './report.ts';

const nothing = () => Promise.resolve();
const calls = testCheck('calls', 1, nothing);
const results = [
  testResult(calls),
  testResult(testCheck('calls', 2, nothing), { outcome: 'failed', message: 'it is "<1>" \u0000& 2' }),
  testResult(testCheck('calls', 3, nothing, { level: 'should' }), { outcome: 'failed', message: 'odd' }),
  testResult(testCheck('inbox', 1, nothing), { outcome: 'left_out', message: 'not here' }),
];
const mutation: Mutation = {
  id: 'calls-a',
  sentence: 'It is wrong.',
  areas: ['calls'],
  profile: 'api',
  where: { method: 'GET', path: '/' },
};
const report: Report = {
  baseUrl: 'http://127.0.0.1:8080',
  profile: 'full',
  startedAt: new Date('2026-02-03T04:05:06.789Z'),
  durationMs: 1234,
  results,
  mutations: [
    { mutation, outcome: 'found', foundBy: 'CALLS-001', message: 'it came', durationMs: 5 },
    { mutation: { ...mutation, id: 'calls-b' }, outcome: 'not_found', message: 'nothing came', durationMs: 5 },
    { mutation: { ...mutation, id: 'calls-c' }, outcome: 'left_out', message: 'no sandbox', durationMs: 5 },
  ],
  problems: ['com_1 was not deleted'],
  isInterrupted: false,
};

describe('a report', () => {
  it('a report as text says what failed, and ends with a line per area', () => {
    const { text } = reporters;
    expect(results.map((result) => text.onResult!(result))).toEqual([
      undefined,
      'FAILED CALLS-002 (must) A rule of calls holds.\n       it is "<1>" \u0000& 2\n       service-api.md: Contacts\n',
      'FAILED CALLS-003 (should) A rule of calls holds.\n       odd\n       service-api.md: Contacts\n',
      undefined,
    ]);
    expect(report.mutations!.map((result) => text.onMutation!(result))).toEqual([
      'calls-a: found by CALLS-001. It is wrong.\n',
      'NOT FOUND calls-b: It is wrong. nothing came\n',
      'calls-c: It is wrong. no sandbox\n',
    ]);
    expect(text.report(report).trim().split('\n')).toEqual([
      'not cleaned up: com_1 was not deleted',
      'left out: INBOX-001: not here',
      '4 checks of the profile full in 1.2 s',
      'calls: 1 of 3',
      'inbox: 0 of 0',
      'mutations: 1 of 2',
    ]);
  });

  it('a report as JSON has every check, with its source, and every mutation', () => {
    const written = JSON.parse(reporters.json.report(report));
    expect(written).toMatchObject({
      base_url: 'http://127.0.0.1:8080',
      profile: 'full',
      started_at: '2026-02-03T04:05:06.789Z',
      duration_ms: 1234,
      conforms: false,
      areas: [
        { area: 'calls', held: 1, total: 3, left_out: 0 },
        { area: 'inbox', held: 0, total: 0, left_out: 1 },
      ],
      mutations: [{ id: 'calls-a', found_by: 'CALLS-001' }, { found_by: null }, { outcome: 'left_out' }],
      problems: ['com_1 was not deleted'],
    });
    expect(written.checks[1]).toEqual({
      id: 'CALLS-002',
      area: 'calls',
      level: 'must',
      sentence: 'A rule of calls holds.',
      source: { document: 'service-api.md', heading: 'Contacts' },
      profile: 'api',
      outcome: 'failed',
      message: 'it is "<1>" \u0000& 2',
      duration_ms: 12,
    });
  });

  it('a report as JUnit has a suite per area, and is XML whatever the server said', () => {
    expect(reporters.junit.report(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="conformance">
  <testsuite name="calls" tests="3" failures="1" skipped="1">
    <testcase name="CALLS-001 A rule of calls holds." classname="service-api.md" time="0.012"/>
    <testcase name="CALLS-002 A rule of calls holds." classname="service-api.md" time="0.012"><failure message="it is &quot;&lt;1>&quot; \ufffd&amp; 2&#10;service-api.md: Contacts"/></testcase>
    <testcase name="CALLS-003 A rule of calls holds." classname="service-api.md" time="0.012"><skipped message="odd"/></testcase>
  </testsuite>
  <testsuite name="inbox" tests="1" failures="0" skipped="1">
    <testcase name="INBOX-001 A rule of inbox holds." classname="service-api.md" time="0.012"><skipped message="not here"/></testcase>
  </testsuite>
  <testsuite name="mutations" tests="3" failures="1" skipped="1">
    <testcase name="calls-a It is wrong." classname="CALLS-001" time="0.005"/>
    <testcase name="calls-b It is wrong." classname="mutations" time="0.005"><failure message="nothing came"/></testcase>
    <testcase name="calls-c It is wrong." classname="mutations" time="0.005"><skipped message="no sandbox"/></testcase>
  </testsuite>
</testsuites>
`);
  });

  it('a list of checks has the ids, in every form', () => {
    expect(reporters.text.list([calls])).toBe('CALLS-001 must api A rule of calls holds. (service-api.md: Contacts)\n');
    expect(JSON.parse(reporters.json.list([calls])).checks[0]).toMatchObject({ id: 'CALLS-001', profile: 'api' });
    expect(reporters.junit.list([calls])).toContain('<testcase name="CALLS-001 A rule of calls holds."');
  });
});
