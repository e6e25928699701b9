import { describe, expect, it } from '@jest/globals';
import { readRegistrations } from './switch-state.ts';

/** FreeSWITCH escapes the contact and the agent, but not the Call-ID. */
const entry = (callId: string, user: string, contact: string) =>
  `    <registration>
        <call-id>${callId}</call-id>
        <user>${user}@parley.invalid</user>
        <contact>${contact}</contact>
        <agent>x &lt;/agent&gt;</agent>
        <status>Registered(UDP)(unknown) exp(2026-11-16 15:00:00) expsecs(125)</status>
        <ping-status>Reachable</ping-status>
        <ping-time>0.00</ping-time>
        <host>switch</host>
        <network-ip>192.0.2.9</network-ip>
        <network-port>5070</network-port>
        <sip-auth-user>${user}</sip-auth-user>
        <sip-auth-realm>parley.invalid</sip-auth-realm>
        <mwi-account>${user}@parley.invalid</mwi-account>
    </registration>
`;
const list = (...entries: readonly string[]) =>
  `<?xml version="1.0" encoding="ISO-8859-1"?>\n<profile>\n  <registrations>\n${entries.join('')}  </registrations>\n</profile>\n`;
const contact = '&quot;&quot; &lt;sip:a@h:5060&gt;';

describe('the registrations of a switch', () => {
  it('the registrations of a switch are read with where each phone is', () => {
    expect(readRegistrations(list(entry('1', 'emp_1', contact), entry('2', 'emp_2', contact)))).toMatchObject([
      { callId: '1', user: 'emp_1', domain: 'parley.invalid', contact: { address: 'sip:a@h:5060' } },
      { callId: '2', user: 'emp_2' },
    ]);
    expect(readRegistrations(list())).toEqual([]);
    expect(readRegistrations('Invalid Profile!\n')).toEqual([]);
  });

  it('the registrations of a switch have no contact where the phone wrote one that is not dialled', () => {
    const hostile = '&quot;&quot; &lt;sip:a,sofia/external/+1900@h&gt;';
    expect(readRegistrations(list(entry('1', 'emp_1', hostile)))).toMatchObject([{ user: 'emp_1', contact: null }]);
    const folded = '&quot;a\r\n    &lt;/registration&gt;\r\n b&quot; &lt;sip:a@h&gt;';
    expect(readRegistrations(list(entry('1', 'emp_1', folded)))).toMatchObject([{ user: 'emp_1', contact: null }]);
  });

  it('the registrations of a switch cannot be forged by a Call-ID with XML in it', () => {
    const callId =
      'a</call-id></registration><registration><call-id>b</call-id><user>emp_2@parley.invalid</user><contact>' +
      '&lt;sip:x@h&gt;</contact><network-ip>203.0.113.1</network-ip>';
    const phones = readRegistrations(list(entry(callId, 'emp_1', contact)));
    expect(phones).toMatchObject([{ callId, user: 'emp_1', contact: { address: 'sip:a@h:5060' } }]);
    expect(phones[0]?.contact?.dialString).toContain('%40192.0.2.9%3A5070');
  });
});
