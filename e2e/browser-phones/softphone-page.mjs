// The page of a softphone, as small as it can be: JsSIP, and what it hears as numbers. Tests drive it through `softphone`.
import JsSIP from 'jssip';

const LEVEL_EVERY_MS = 50;

const state = {
  registration: 'none',
  /** The state of the newest call. */
  call: 'none',
  direction: '',
  media: 'new',
  caller: '',
  callId: '',
  cause: '',
  reason: '',
  refusal: '',
  /** Root mean square of what is heard: the loudest since it was asked for last, 0 to 1. */
  loudest: 0,
};
let agent;
let session;

const microphone = { mediaConstraints: { audio: true, video: false } };

function listen(connection) {
  state.media = connection.connectionState;
  connection.addEventListener('connectionstatechange', () => (state.media = connection.connectionState));
  connection.addEventListener('track', ({ track }) => {
    const stream = new MediaStream([track]);
    const player = new Audio();
    player.srcObject = stream;
    void player.play();
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      state.loudest = Math.max(state.loudest, Math.sqrt(power));
    }, LEVEL_EVERY_MS);
  });
}

function follow({ session: next, request, originator }) {
  session = next;
  Object.assign(state, { call: originator === 'remote' ? 'ringing' : 'calling', direction: next.direction });
  Object.assign(state, { cause: '', reason: '', loudest: 0, caller: next.remote_identity.uri.user });
  if (originator === 'remote') state.callId = request.getHeader('X-Parley-Call') ?? '';
  if (next.connection) listen(next.connection);
  next.on('peerconnection', ({ peerconnection }) => listen(peerconnection));
  next.on('progress', () => (state.call = state.call === 'calling' ? 'progress' : state.call));
  next.on('confirmed', () => (state.call = 'confirmed'));
  const over = ({ cause, message }) => {
    const [reason, refusal] = ['Reason', 'X-Parley-Refusal'].map((name) => message?.getHeader?.(name) ?? '');
    Object.assign(state, { call: 'over', cause, reason, refusal });
  };
  next.on('failed', over);
  next.on('ended', over);
}

globalThis.softphone = {
  start({ sip_uri: uri, password, websocket_url: url, ice_servers: iceServers }) {
    microphone.pcConfig = { iceServers };
    agent = new JsSIP.UA({ sockets: [new JsSIP.WebSocketInterface(url)], uri, password, register_expires: 120 });
    agent.on('registered', () => (state.registration = 'registered'));
    agent.on('unregistered', () => (state.registration = 'unregistered'));
    agent.on('registrationFailed', ({ cause }) => (state.registration = `failed: ${cause}`));
    agent.on('newRTCSession', follow);
    agent.start();
  },
  /** JsSIP reports nothing when it succeeds. */
  renew({ password }) {
    agent.set('password', password);
    agent.register();
  },
  state: () => ({ ...state }),
  quieten() {
    state.loudest = 0;
  },
  answer: () => session.answer(microphone),
  decline: () => session.terminate({ status_code: 603 }),
  hangUp: () => session.terminate(),
  press: (digit) => session.sendDTMF(digit, { transportType: 'RFC2833' }),
  hold: () => new Promise((resolve) => session.hold({}, resolve)),
  unhold: () => new Promise((resolve) => session.unhold({}, resolve)),
  /** Continues a call after a reload. */
  resume: (callId) => agent.call(callId, microphone),
  call(number, businessNumberId) {
    agent.call(`sip:${number}@${agent.configuration.uri.host}`, {
      ...microphone,
      extraHeaders: [`X-Business-Number: ${businessNumberId}`],
    });
  },
};
