// Health of a switch: its event socket takes connections.
import { connect } from 'node:net';

const { EVENT_SOCKET_IP: ip = '', EVENT_SOCKET_PORT: port = '' } = process.env;
const host = ip === '' || ip === '0.0.0.0' ? '127.0.0.1' : ip;
const socket = connect({ host, port: Number(port || 8021), timeout: 2000 });
socket.once('data', () => process.exit(0));
for (const event of ['error', 'timeout', 'close'] as const) socket.once(event, () => process.exit(1));
