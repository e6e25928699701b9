import { describe, expect, it } from '@jest/globals';
import { type CallFlowForm, callFlowForm } from './call-flow-form.ts';
import { narrowRouteLayout, routeLayout } from './route-layout.ts';

const UNSET = callFlowForm(null);
const ring: CallFlowForm = { ...UNSET, type: 'TransferConfig', employeeIds: ['emp_1'] };
const closed: CallFlowForm = { ...UNSET, type: 'RejectConfig', message: 'Closed' };
const option = { key: 'a', digit: '1', action: 'TransferConfig', prompt: '', employeeIds: ['emp_1'] } as const;
const menu: CallFlowForm = {
  ...UNSET,
  type: 'PhoneMenuConfig',
  welcome: 'Press a key',
  options: [option, { ...option, key: 'b', digit: '2', action: 'VoicemailConfig', prompt: 'Speak' }],
};
const noAnswer = { flow: UNSET, timeoutSecs: null };
const ids = (route: Parameters<typeof routeLayout>[0]) => routeLayout(route).nodes.map(({ id }) => id);

describe('the picture of a route', () => {
  it('the picture of a route has a node for everything a call can meet', () => {
    expect(ids({ incoming: ring, outside: closed, noAnswer, isOpen: true })).toEqual([
      'call',
      'hours',
      'incoming',
      'outside',
      'no answer',
    ]);
    expect(ids({ incoming: menu, outside: UNSET, noAnswer, isOpen: true })).toEqual(
      expect.arrayContaining(['target 1', 'target 2', 'no answer']),
    );
    expect(ids({ incoming: closed, outside: UNSET, noAnswer, isOpen: true })).not.toContain('no answer');
    const { nodes } = routeLayout({ incoming: ring, outside: closed, noAnswer, isOpen: true });
    expect(nodes.map(({ kind }) => kind)).toEqual(['call', 'hours', 'ring', 'reject', 'unset']);
  });

  it.each([
    ['voicemail', { ...UNSET, type: 'VoicemailConfig', greeting: 'Speak' }, false],
    ['ring', { ...UNSET, type: 'WelcomeTransferConfig', welcome: 'Hi', employeeIds: ['emp_1'] }, true],
  ] as const)('the picture of a route leads from an assistant to its fallback: %s', (kind, fallback, rings) => {
    const incoming: CallFlowForm = {
      ...UNSET,
      type: 'AssistantConfig',
      assistant: { id: 'ast_1', name: 'Robin', fallback },
    };
    const route = { incoming, outside: closed, noAnswer, isOpen: true };
    const { nodes, edges, taken } = routeLayout(route);
    expect(nodes.find(({ id }) => id === 'incoming')).toMatchObject({ kind: 'assistant', assistant: 'Robin' });
    expect(nodes.filter(({ isFallback }) => isFallback).map((node) => node.kind)).toEqual([kind]);
    expect(nodes.some(({ id }) => id === 'no answer')).toBe(rings);
    expect([...taken]).toEqual(['call', 'hours', 'incoming']);
    expect(edges.filter(({ isTaken }) => isTaken)).toHaveLength(2);
    expectStacked(route);
  });

  it('the picture of a route has the same nodes below each other on a phone', () => {
    expectStacked({ incoming: menu, outside: closed, noAnswer, isOpen: true });
  });

  /** Nothing overlaps, and nothing is outside the picture. */
  function expectStacked(route: Parameters<typeof routeLayout>[0]): void {
    const { nodes, edges, width, height } = narrowRouteLayout(route);
    expect(nodes.map(({ id }) => id).toSorted()).toEqual(ids(route).toSorted());
    expect(edges).toHaveLength(nodes.length - 1);
    const ends = nodes.toSorted((one, other) => one.y - other.y).map((node) => [node.y, node.y + node.height] as const);
    for (const [index, [begin]] of ends.entries()) expect(begin).toBeGreaterThanOrEqual(ends[index - 1]?.[1] ?? 0);
    expect(Math.max(...nodes.map((node) => node.x + node.width))).toBeLessThanOrEqual(width);
    expect(ends.at(-1)?.[1]).toBeLessThanOrEqual(height);
  }

  it.each([routeLayout, narrowRouteLayout])(
    'the picture of a route leads from the keys that ring, and from no other, to what happens without an answer: %p',
    (layout) => {
      const { nodes, edges, width } = layout({ incoming: menu, outside: closed, noAnswer, isOpen: true });
      const at = (id: string) => nodes.find((node) => node.id === id)!;
      const middle = (id: string) => at(id).y + at(id).height / 2;
      const paths = edges
        .map(({ path }) => path)
        .filter((path) => path.endsWith(`${middle('no answer')} H${at('no answer').x + at('no answer').width}`));
      expect(paths).toEqual([
        expect.stringMatching(`^M${at('target 1').x + at('target 1').width} ${middle('target 1')} `),
      ]);
      expect(at('no answer').x + at('no answer').width).toBeLessThan(width);
    },
  );

  it.each([
    [true, closed, ['call', 'hours', 'incoming']],
    [false, closed, ['call', 'hours', 'outside']],
    [false, UNSET, ['call', 'hours', 'incoming']],
    [undefined, closed, []],
  ])('the picture of a route shows the way at a time: open %s', (isOpen, outside, taken) => {
    expect([...routeLayout({ incoming: ring, outside, noAnswer, isOpen }).taken]).toEqual(taken);
  });

  it('the picture of a route has no nodes that cover each other', () => {
    const { nodes } = routeLayout({ incoming: menu, outside: closed, noAnswer, isOpen: true });
    for (const [index, one] of nodes.entries())
      for (const other of nodes.slice(index + 1)) {
        const isApart =
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y;
        expect([one.id, other.id, isApart]).toEqual([one.id, other.id, true]);
      }
  });
});
