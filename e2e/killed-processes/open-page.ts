import { expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { dashboardBrowser, describeInBrowser, waitForValue } from '../dashboard/dashboard-browser.ts';
import { startTexting } from '../messages/texting.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';

export function testOpenPage(stack: LocalStack): void {
  const browser = dashboardBrowser({
    get base_url() {
      return stack.local.base_url;
    },
  });

  describeInBrowser('a thread that somebody replies to', () => {
    it('a thread that somebody replies to says that it is out of date, keeps what was typed, and goes on by itself with what happened meanwhile', async () => {
      const texting = await startTexting(stack.local);
      const ane = texting.customer();
      await texting.receive({ from: ane, text: 'Before the restart' });
      const page = await browser.signIn(texting.company.owner, `/dashboard/inbox/${encodeURIComponent(ane)}`);
      const log = page.getByRole('log', { name: 'Activity' });
      const message = page.getByRole('textbox', { name: 'Message' });
      const outdated = page.getByText('Reconnecting… What is shown may be out of date.');
      await log.getByText('Before the restart').waitFor();
      await message.fill('An answer that is not sent yet');
      await page.evaluate('globalThis.isSamePage = true');
      // Requests of the page while nobody answers, and the WebSocket.
      browser.expectProblems(/net::ERR_/, /WebSocket/);

      for (const gateway of processesOfService(stack, 'gateway')) process.kill(gateway, 'SIGKILL');
      await outdated.waitFor();
      await waitUntil(() => texting.receive({ from: ane, text: 'During the restart' }), {
        what: 'a text after the restart',
        timeoutMs: 60_000,
      });
      await log.getByText('During the restart').first().waitFor();
      await outdated.waitFor({ state: 'detached' });
      await waitForValue(message, 'An answer that is not sent yet');
      expect(await page.evaluate('globalThis.isSamePage')).toBe(true);

      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await log.getByText('An answer that is not sent yet').waitFor();
      await waitForValue(message, '');
      await texting.receive({ from: ane, text: 'After the restart' });
      await log.getByText('After the restart').waitFor();
      expect(await texting.submitted(ane)).toHaveLength(1);
    }, 180_000);
  });
}
