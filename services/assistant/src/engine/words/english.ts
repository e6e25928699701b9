import type { Vocabulary } from './vocabulary.ts';

const WHO = '(?<who>.+?)';
const SAYING = '(?:saying|that says|that|to say|and say|and tell (?:him|her|them)|telling (?:him|her|them))';

export const ENGLISH: Vocabulary = {
  yes: /^(?:yes|yeah|yep|yup|yea|sure|certainly|of course|absolutely|definitely|correct|exactly|indeed|go ahead|do it|do that|thats (?:right|correct|fine|it|good|okay|ok|perfect)|that is (?:right|correct|fine|it|good|okay|ok)|(?:this|it)s? (?:is )?(?:right|correct)|sounds (?:good|great|right)|(?:i )?would (?:like|love) that|id (?:like|love) (?:that|to)|that would be (?:great|nice|good|lovely|fine|perfect)|why not|no problem|uh huh|mhm|mm hm|yes please|please do)\b/,
  weakYes: /^(?:okay|ok|fine|all right|alright|right|perfect|great|good|please|i do|i am|it is|i would|lovely|yes)\b/,
  no: /^(?:no|nope|nah|never mind|not (?:really|quite|right|correct|exactly|at all|now|today|necessary|yet|this time|needed)|(?:thats|its|that is|it is|this is|that was) (?:not|wrong|incorrect)|wrong|incorrect|dont|do not|i dont|i do not|i didnt|neither|none|negative|id rather not|rather not)\b/,
  neitherYesNorNo:
    /^(?:no (?:idea|problem|worries|clue|one|matter)|sure thing about|not sure|i dont (?:know|understand|remember)|dont you|please (?:repeat|wait|hold|say)|right now|fine day|good (?:morning|evening|afternoon|day|bye))\b/,
  fillers: /\b(?:uh|um|uhm|erm|er|hmm|hm|ah|eh|well|so|like|you know|i mean|oh|ehm|mm)\b/g,
  backchannel:
    /^(?:(?:mm|mhm|mm hm|mmhm|hm|hmm|uh huh|uh|um|ah|oh|aha|okay|ok|yeah|yes|yep|right|sure|i see|got it|good|great|fine|all right|alright|cool|nice|perfect|wow|really|exactly|thanks|thank you|interesting|mmm)(?: |$)){1,3}$/,
  small: {
    goodbye:
      /^(?:(?:okay|ok|great|no|nope|alright|all right|thanks?|thank you|very much|perfect|well|that(?:s| is| was| will be) (?:all|everything|it)(?: for (?:today|now))?|nothing else|you too|have a (?:nice|good|great) (?:day|evening|one|weekend)|and|so|then|for your help|for now|thats) ?)*(?:good ?bye?|bye(?: bye| now)?|by|buy|see you(?: later| soon)?|i(?:ll| will) hang up(?: now)?|talk to you later|take care)(?: then| thanks?| thank you| robin)?$|^(?=.*\b(?:thanks?|thank you|all|everything|day)\b)(?:[a-z]+ ){1,7}(?:good ?bye|bye(?: bye)?)$|^(?:[a-z]+ ){0,2}bye$/,
    thanks:
      /^(?:(?:okay|ok|great|perfect|alright|all right|good|oh|very) ?)*(?:thanks?|thank you|cheers|much appreciated|that helps|very helpful|thats (?:very )?(?:kind|helpful|great))(?: (?:so|very|a lot|much|you|for that|for the information|for your help|again))*$/,
    hello:
      /^(?:(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|are you (?:still )?there|can you hear me|is (?:anybody|anyone|someone) there|how are you(?: doing)?(?: today)?|there) ?)+$/,
    wait: /^(?:(?:uh|um|sorry|okay|ok|please|just|can you|could you|yes|wait|hang on|hold on|oh) ?)*(?:hold on|hang on|wait|one (?:moment|second|minute|sec)|(?:just )?(?:a|give me a|gimme a) (?:moment|second|minute|sec)|let me (?:think|check|see|look|find)(?: (?:it|that|my|the).{0,30})?|bear with me|hold the line)(?: please| a (?:moment|second|minute|sec)| on)*$/,
    repeat:
      /^(?:(?:sorry|uh|um|excuse me|okay|wait|please|oh|im sorry|hm) ?)*(?:(?:can|could|would|will) you (?:please )?(?:repeat|say) (?:that|it|this|what you said)?(?: again| once more| one more time| please| more slowly| slower)*|repeat(?: that| it| please)*|say (?:that|it) again(?: please)?|what (?:did you say|was that|did you just say)(?: again)?|pardon(?: me)?|come again|once more(?: please)?|again please|i (?:didnt|did not|couldnt|could not|cant|cannot) (?:catch|get|hear|understand)(?: (?:that|you|it|what you said))?(?: (?:can|could) you (?:repeat|say) (?:that|it)(?: again)?)?|(?:how much|what|when|where|who) (?:was|were) (?:that|it|the [a-z]+(?: [a-z]+)?) again|how much was (?:that|it)|what|sorry|excuse me)(?: please)?$/,
    robot:
      /\b(?:are you (?:a |an |really |just )*(?:robot|machine|computer|human|person|bot|ai|real|recording|automated|artificial)|am i (?:talking|speaking) (?:to|with) (?:a |an )*(?:robot|machine|computer|human|person|bot|ai|real|recording))/,
    name: /^(?:and )?(?:whats|what is|may i (?:ask|have)|can i have|tell me) your name(?: again| please)?$|^who are you$|^whats your name/,
    company:
      /\b(?:which|what) (?:company|firm|business|shop|store|place|practice|office) (?:is this|is that|am i|have i|did i|are you)|\bwho (?:is this|am i (?:speaking|talking)|have i (?:reached|called)|did i (?:call|reach))|\b(?:whats|what is) the name of (?:this|the|your) (?:company|firm|business|shop|store|place|practice)|\b(?:name of (?:this|your) (?:company|firm|business|shop))|^(?:is this|have i reached|did i reach|am i (?:speaking|talking) (?:to|with)) (?:the )?(?!a |an |machine|robot).{2,40}$/,
    address:
      /\b(?:where (?:exactly )?(?:are|is) (?:you|your (?:shop|store|office|company|place|practice|clinic|salon|restaurant|address)|the (?:shop|store|office|practice|company|clinic|salon|restaurant))(?: (?:located|based|situated|exactly|at|please))*$|(?:whats|what is|what was|have|give me|tell me|need|know) (?:me )?(?:the|your) (?:street |full |exact |postal )?address|your address|the address(?: of (?:the|your) .*)?(?: please)?$|address please|which street|what street|where (?:can i|do i|to) find you|how (?:do|can|would) i (?:find|get to|reach) (?:you|your (?:shop|store|office|place|practice))(?! by)|tell me where (?:you are|the (?:shop|store|office|practice) is)|where you are)\b/,
    abilities:
      /^(?:what (?:can|could) you (?:do|help)(?: for me| me with| with)?|how can you help(?: me)?|what are my options|help(?: me)?|what can i (?:ask|say|do)(?: you)?|i need (?:some )?help|can you help me)(?: please)?$/,
    people:
      /\b(?:who can i (?:talk|speak) (?:to|with)|which (?:departments?|teams?|people)|what (?:departments?|teams?) (?:do|are)|who (?:works|is working) (?:there|here|for you))/,
    done: /^(?:(?:no|nope|okay|ok|thanks?|thank you|great) ?)*(?:(?:that(?:s| is| was| will be)|i think that(?:s| is| was)) (?:all|everything|it)(?: for (?:today|now))?|nothing(?: else| more)?|im (?:good|fine|done|all set)|im all good|all good|no more questions|that will do)(?: (?:thanks?|thank you|for today|for now))*$/,
  },
  followUp: /^(?:(?:okay|ok|thanks|thank you|great|alright|all right) )*(?:and|what about|how about|or|but)\b/,
  cancel:
    /^(?:(?:oh|no|actually|okay|sorry|please|um|uh|well) ?)*(?:never ?mind|forget (?:it|that|about it)|cancel(?: (?:it|that|the message))?|stop|leave it|i(?:ve| have) changed my mind|no message|dont bother|skip (?:it|that)|scrap that)(?: (?:then|please|thanks?|thank you))*$/,
  first: /\b(?:the )?(?:first|former|1st)(?: one| option)?\b|^(?:number )?one$/,
  second: /\b(?:the )?(?:second|latter|last|2nd|other)(?: one| option)?\b|^(?:number )?two$/,
  both: /\bboth\b/,
  neither: /\b(?:neither|none|something else|not (?:that|those|either)|nothing of)\b/,
  human:
    /\b(?:(?:a|an|any|some|the) )?(?:real|actual|live|human|living|proper) (?:person|human|being|people|agent|voice|one|employee|colleague)\b|\b(?:a|with|to|any) (?:person|human|human being|operator|representative|agent)\b(?! (?:in|from|who|at|about|that|of) )|\bhuman being\b|^(?:human|operator|agent|representative|person|receptionist)(?: please)?$|\b(?:not|dont|do not|rather not|hate|stop|instead of|sick of|tired of) (?:want to |wanna |like to |like |talking |speaking |talk |speak |to |with )*(?:a |this |the )?(?:machine|robot|computer|bot|ai|assistant|recording)s?\b/,
  anybody:
    /^(?:(?:some|any) ?(?:body|one)(?: else)?|(?:a |an |one of (?:the|your) |some of the |your |the )?(?:person|human|human being|employee|member of staff|colleague|representative|agent|operator|people|guys|staff|team|manager|boss|owner|receptionist|right person))(?: (?:there|here|please|who can help(?: me)?|at your (?:company|office)|in charge|responsible|right now|now|today))*$/,
  person: [
    /\b(?:speak|talk|speaking|talking|chat|spoke|discuss (?:this|it|something)) (?:to|with) (.+)$/,
    /\b(?:put|connect|transfer|patch|pass|forward|send) (?:me |us |this call |my call |the call )?(?:over |on |through |straight |directly )*(?:to|with) (.+)$/,
    /\b(?:returning (?:a|the|my) call (?:from|of|to)|calling (?:back )?for|trying to (?:reach|get (?:hold of|through to))|like to reach|want to reach|need to reach|looking for|get (?:a )?hold of|get through to|ask for|reach) (.+)$/,
  ],
  perhapsPerson: [
    /\b(?:can|could|may) (?:i|we) (?:please )?(?:get|have|reach) (.+?)(?: on the (?:line|phone))?$/,
    /\b(?:is|are) (.+?) (?:there|in|around|free|available|about|at work|in the office|in today|at (?:his|her|their) desk)(?: (?:today|now|right now|please|at the moment|to (?:talk|speak)|for me|at all))*$/,
    /^(?:give me|get me|i (?:want|need)|id like|i would like) (?!to\b|an?\b|my\b|some )(.+)$/,
    /\b(?:call|message|question) for (.+)$/,
    /^(.+?)(?: please)$/,
  ],
  pronoun: /^(?:you|me|us|him|her|them|it|that|this|my|i|your|anything|something|nothing)\b/,
  besideName:
    /^(?:(?:to|with|for|from|in|at|the|your|our|my|mr|mrs|ms|miss|mister|doctor|dr|somebody|someone|anybody|anyone|a|an|one|of|person|people|guy|guys|lady|man|woman|colleague|called|named|name|is|please|directly|again|whos|who|works?|working|there|hello|hi|hey|good|morning|uh|um|oh|yes|yeah|no|actually|okay|well|it|its|was|that|would|be|want|need|i|like|speak|talk) )+/,
  message: [
    new RegExp(
      String.raw`\b(?:leave|take|give|pass(?: on)?|record|get|send|deliver) (?:you |me )?(?:a |my |the |another )?(?:short |quick |brief )?(?:message|note|messages)(?: down| on)?(?: (?:for|to) ${WHO})??(?:,? ${SAYING} (?<what>.+))?$`,
    ),
    new RegExp(
      String.raw`\b(?:give|send|leave) ${WHO} (?:a |my |the )(?:short |quick )?(?:message|note)(?: ${SAYING} (?<what>.+))?$`,
    ),
    new RegExp(
      String.raw`^(?:.{0,40}\b)?pass (?:something|this|it|that)(?: on| along)? (?:to|for) ${WHO}(?: for me)?$`,
    ),
    new RegExp(String.raw`^(?:.{0,40}\b)?pass (?:something|this|it|that) on$`),
    new RegExp(
      String.raw`^(?:(?:can|could|would|will) you |please |just |hi |hello |yes |then |i (?:want|need|would like) you to |id like you to )*(?:please )?(?:tell|inform|let) ${WHO} (?:know |please )?(?:that |about |to |(?=(?:i|im|ive|ill|my|we|were|he|she|they|the|it|its|there|this|his|her) ))(?<what>.+)$`,
    ),
    /^(?:a )?message(?: please)?$/,
    /\b(?:want|like|need) to leave (?:a )?(?:word|voicemail|voice mail)\b/,
  ],
  callback: [
    new RegExp(
      String.raw`\b(?:can|could|would|will|have|let|get|ask|tell|want|need|like|please have|and have)(?: you)? (?<who>[a-z]+(?: [a-z]+)?) (?:please )?(?:to )?(?:call|ring|phone|give)(?: me)?(?: up)? (?:back|a (?:call|ring)(?: back)?)\b`,
    ),
    new RegExp(
      String.raw`\b(?:can|could|would|will|have) (?<who>[a-z]+(?: [a-z]+)?) (?:please )?(?:call|ring|phone) me(?: back)?(?: (?:later|today|tomorrow|please|when|this|on|at|in|as).*)?$`,
    ),
    /\b(?:call|ring|phone) (?:me|us) back\b/,
    /\b(?:give|get) (?:me|us) a (?:call|ring|call back|callback)\b/,
    /\b(?:a |my |request )(?:call back|callback|return call)\b/,
    /\b(?:be|get) (?:called|phoned|rung) (?:back|later|tomorrow)\b/,
    /^(?:call ?back)(?: please)?$/,
    /^(?:(?:please|can you|could you|just|yes|and) )*(?:call|ring|phone) (?:me|us)\b/,
  ],
  sendText:
    /\b(?:text|message|sms) (?:me|us|it|that|this) ?(?!back)|\b(?:send|get|have) (?:me |us |that |it |this )?.{0,60}\b(?:text|sms|text message|link)\b|\b(?:by|via|as a|in a|per) (?:text|sms|text message)\b/,
  ownName: [
    /\b(?:my name is|my names|the name is|the names|name is) (.+)$/,
    /^(?:(?:hello|hi|hey|good (?:morning|afternoon|evening)|yes|uh|um|well) )*(?:this is|its|it is|im|i am|here is) (.+?)(?: (?:here|speaking|calling))?$/,
    /^(.+?) (?:here|speaking|is my name)$/,
  ],
  afterName:
    /\b(?:and|am|from|calling|about|i|im|id|ive|my|on|at|here|speaking|with|of|to|regarding|because|but|can|could|would|please|is|was|the|a|looking|trying|wondering|who|want|need|thats|spelled|spelt|number|you|we|by|in|for|not|just|so|it|its|have|has|had|this|that)\b/,
  matter: /\b(?:about|regarding|concerning|in regards? to|with regards? to|its about|because of|to do with) (.+)$/,
  none: /^(?:(?:no|sorry|i|id|uh|um|well) )*(?:dont|do not|rather not|prefer not|wont|no number|no name|skip|none|anonymous|not necessary|not needed)\b/,
  emergency: [
    /\b(?:there(?:s| is)(?: been)? (?:a |an )?(?:big )?fire|(?:is|are|caught|its|on) (?:on )?fire\b(?! (?:alarm|safety|door|drill|extinguisher|insurance))|(?:house|flat|kitchen|building|office|car|apartment|room|room is) (?:is )?(?:burning|on fire))/,
    /\b(?:call|send|need|get|want)(?: me| us| for)? (?:an? |the )?(?:ambulance|police|fire (?:brigade|department|engine|truck)|paramedics?|emergency services)\b/,
    /\b(?:cant|cannot|can not|couldnt|not|stopped|struggling to|hard to|barely|trouble) breath(?:e|ing)?\b/,
    /\b(?:having|has|had|have|think its|its) (?:a |an )?(?:heart attack|stroke|seizure|cardiac arrest)\b/,
    /\b(?:heart attack|cardiac arrest)\b/,
    /\b(?:is|hes|shes|im|am|was) (?:unconscious|choking|dying|drowning|bleeding (?:heavily|badly|to death|a lot|out))\b/,
    /\b(?:severe|heavy|bad) (?:bleeding|chest pains?)\b|\bchest pains?\b/,
    /\b(?:somebody|someone|he|she|they|man)(?:s| is|s been| has been| was)? (?:being |been )?(?:stabbed|shot|attacked|collapsed|not responding|has a (?:gun|knife))\b/,
    /\b(?:going to|gonna|want to|wanna) (?:kill myself|die|end my life)\b|\bsuicid/,
    /\b(?:smell(?:s|ing)?(?: of)? gas|gas leak|gas (?:in|and|at) (?:the|my|our) (?:kitchen|house|home|flat|apartment|basement|cellar|building|room))\b/,
    /^(?:(?:oh|please|my|god|quick|quickly|hello|hi) )*help\b(?! (?:me|us) (?:with|to|find|choose|out with)\b).{0,40}\b(?:fire|flames|ambulance|police|burning|bleeding|dying|breath\w*|heart)\b/,
    /\bfire (?:in|at) (?:my|our|the|a|his|her|their|this) (?:house|home|flat|apartment|kitchen|building|office|room|garage|car|basement|shop|neighbou?rs?)\b|\b(?:my|our|the|his|her|their) (?:house|home|flat|apartment|kitchen|building|garage|car) (?:is |has )?(?:caught|burning|burns|in flames)\b/,
    /\b(?:has|have|had|just) (?:collapsed|fainted|passed out|overdosed|taken an overdose)\b|\boverdose\b/,
    /\b(?:father|mother|mom|mum|dad|husband|wife|son|daughter|baby|child|boy|girl|friend|colleague|brother|sister|grand(?:ma|pa|mother|father)|neighbou?r|man|woman|he|she|somebody|someone)\b.{0,40}\b(?:does|do|is|was)(?:nt| not) (?:respond(?:ing)?|breath(?:e|ing)|wak(?:e|ing) up|moving|conscious)\b(?! to\b)/,
    /\b(?:breaking|broke) into my (?:house|home|flat|apartment)\b|\b(?:burglars?|intruders?|robbers?) (?:is |are )?in (?:my|the|our)\b|\b(?:has|got|with) a (?:gun|knife)\b/,
    /\b(?:been|had|having|is|was) (?:an? )?(?:bad |terrible |serious |car )*(?:accident|crash)\b.{0,60}\b(?:hurt|injured|bleeding|blood|trapped|help|ambulance|unconscious)\b/,
    /\b(?:this|it)(?:s| is) an emergency\b|\bits a matter of life\b|\bmedical emergency\b/,
  ],
  emergencyWord:
    /^(?:(?:help|please|oh|my|god|me|quick|quickly|hurry|a|an|the|its|we|have) ?)*(?:fire|ambulance|police|emergency|murder|mayday)(?: (?:please|help|help me|quick|fire|ambulance|police|now))*$/,
  noEmergency:
    /\b(?:not an emergency|no emergency|fire (?:alarm|extinguisher|safety|door|drill|insurance|place|wood|pit|wall|works|exit)s?|(?:last|two|three|few) (?:week|weeks|month|months|year|years|days)(?: ago)?|yesterday)\b/,
  secrets:
    /\b(?:pass ?(?:word|code|phrase)|pin(?: (?:code|number))?|cvv|cvc|security code|(?:credit|debit|bank|visa|master) ?card(?: number)?|card (?:number|is)|social security|ssn|national (?:insurance|id|identity)|cpr|personal (?:id|identification|identity)|identity card|id (?:card|number)|passport|drivers? licen[cs]e|one time code|access code)\b/,
  phoneNumber: /\b(?:phone|mobile|cell|telephone|call|calling|reach|ring|text|callback)\b/,
  hours: {
    question: [
      /\b(?:opening|business|office|working|store|shop|visiting) (?:hours|times?)\b|\bhours of (?:operation|business)\b|\bwhat(?:s| are| is)? your hours\b|\byour hours\b/,
      /\b(?:are|is|will|do|does|were|be|being|when|until|till|how long|how late|how early|what time|you|still|already|stay|anybody) (?:.{0,40} )?(?:open|opened|closed|shut)\b(?! (?:an?|my|the|up|your|for (?:a )?(?:new|business account)) )/,
      /\b(?:when|what time|how (?:late|early|long)|what days?|which days?|until when) (?:.{0,30} )?(?:you (?:guys )?(?:open|close|shut|there|start|finish|here|work)|(?:shop|store|office|practice) (?:open|close|shut))\b/,
      /\bdo you (?:guys )?(?:open|close|shut|work|have open)\b/,
      /\b(?:can|could|may) i (?:still )?(?:come|drop|stop|swing|visit|pop)(?: (?:by|in|over|round|around|on|along|to you|to the (?:shop|store|office)))* (?:at|on|today|tomorrow|tonight|now|this|before|after|until)\b/,
      /\bhow (?:early|late) can i (?:come|drop|visit|call|stop)\b/,
      /\b(?:are you|is (?:anybody|anyone|somebody)) (?:there|in|around|working) (?:on|at|today|tomorrow|this|during|over|between)\b/,
      /\b(?:closing|opening) time\b|\blunch ?(?:break|time)?\b.{0,20}\b(?:close|closed|open|shut|when|break)\b|\b(?:close|closed|open|shut|when|break).{0,30}\blunch\b/,
      /\bcan i come in on\b/,
    ],
    opening:
      /\b(?:when|what time|how early|from when)\b(?:.{0,40}\b)?(?:open|start|begin|come|opens)\b|\bopening time\b/,
    closing:
      /\b(?:when|what time)\b(?:.{0,40}\b)?(?:close|closes|closing|shut|finish|end|leave)\b|\bclosing time\b|\b(?:how (?:late|long)|until when|till when|until what time)\b/,
    lunch: /\blunch(?: ?(?:break|time))?\b|\bbreak\b/,
    yesNo:
      /\b(?:are|is|will) (?:you|the (?:shop|store|office|practice)|it|anybody|anyone|somebody)\b|\bdo you (?:guys )?(?:open|close|shut|work|have)\b|\b(?:can|could|may) i\b|\b(?:still|already) open\b/,
    holiday: /\b(?:public |bank |national )?holidays?\b/,
  },
  times: {
    now: /\b(?:right now|now|at the moment|currently|at this time|still open|already open)\b/,
    today: /\b(?:today|tonight|this (?:morning|afternoon|evening)|later)\b/,
    // Also as the recogniser writes it: "to amaro".
    tomorrow: /\b(?:tomorrow|(?:to|two|too) ?mor+ows?|to ?a?mar+[ao]w?|tamar+[ao]w?|tomoro)\b/,
    dayAfterTomorrow: /\bday after tomorrow\b/,
    weekend: /\bweekends?\b/,
    next: /\bnext\b/,
    weekdays: [
      /\bmondays?\b/,
      /\btuesdays?\b/,
      /\bwednesdays?\b/,
      /\bthursdays?\b/,
      /\bfridays?\b/,
      /\bsaturdays?\b/,
      /\bsundays?\b/,
    ],
    months: [
      /\bjanuary\b/,
      /\bfebruary\b/,
      /\bmarch\b/,
      /\bapril\b/,
      /\bmay\b(?! (?:i|we)\b)/,
      /\bjune\b/,
      /\bjuly\b/,
      /\baugust\b/,
      /\bseptember\b/,
      /\boctober\b/,
      /\bnovember\b/,
      /\bdecember\b/,
    ],
    ordinals: {
      first: 1,
      second: 2,
      third: 3,
      fourth: 4,
      fifth: 5,
      sixth: 6,
      seventh: 7,
      eighth: 8,
      ninth: 9,
      tenth: 10,
      eleventh: 11,
      twelfth: 12,
      thirteenth: 13,
      fourteenth: 14,
      fifteenth: 15,
      sixteenth: 16,
      seventeenth: 17,
      eighteenth: 18,
      nineteenth: 19,
      twentieth: 20,
      'twenty first': 21,
      'twenty second': 22,
      'twenty third': 23,
      'twenty fourth': 24,
      'twenty fifth': 25,
      'twenty sixth': 26,
      'twenty seventh': 27,
      'twenty eighth': 28,
      'twenty ninth': 29,
      thirtieth: 30,
      'thirty first': 31,
    },
    clock: [
      { pattern: /\bhalf (?:past )?(?<hour>\d{1,2})\b/, add: 30 },
      { pattern: /\b(?:a )?quarter past (?<hour>\d{1,2})\b/, add: 15 },
      { pattern: /\b(?:a )?quarter to (?<hour>\d{1,2})\b/, add: -15 },
      { pattern: /\b(?<minute>\d{1,2})(?: minutes)? past (?<hour>\d{1,2})\b/, add: 0 },
      { pattern: /\b(?<minute>\d{1,2})(?: minutes)? to (?<hour>\d{1,2})\b/, add: 0, before: true },
      {
        pattern:
          /\b(?:at|before|after|by|until|till|around|from|past|about) (?<hour>\d{1,2})(?: (?<minute>[0-5]\d))?\b(?! (?:minutes|hours|days|weeks|people|percent|of))/,
        add: 0,
      },
      {
        pattern:
          /\b(?<hour>\d{1,2})(?: (?<minute>[0-5]\d))? ?(?:oclock|a ?m|p ?m|in the (?:morning|afternoon|evening))\b/,
        add: 0,
      },
      { pattern: /\b(?<hour>\d{1,2}) (?<minute>[0-5]\d)$/, add: 0 },
    ],
    noon: /\b(?:noon|midday)\b/,
    midnight: /\bmidnight\b/,
    pm: /\b(?:p ?m|in the (?:afternoon|evening)|tonight|this (?:afternoon|evening))\b/,
    am: /\b(?:a ?m|in the morning|this morning)\b/,
    when: /\b(?:(?:this|in the|tomorrow|next) (?:morning|afternoon|evening|week)|today|tonight|tomorrow|(?:on |next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: (?:morning|afternoon|evening))?|(?:at|after|before|around|by|until|between) (?:about |half past |quarter past |quarter to |around )?(?:\d{1,2}(?::\d{2})?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midday|lunch|work)(?: (?:and|to) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))?(?: ?(?:thirty|fifteen|forty[ -]five))?(?: ?(?:o'?clock|[ap]\.? ?m\b\.?|in the (?:morning|afternoon|evening)))?|in (?:an hour|half an hour|(?:\d+|one|two|three|four|five|ten|twenty|thirty) (?:minutes?|hours?))|later(?: today)?|as soon as possible|any ?time)\b/gi,
    change: /\b(?:make|do|move|change|put|shift) (?:that|it)\b|\b(?:rather|instead|better|how about)\b/,
  },
  numbers: {
    digits: {
      zero: '0',
      oh: '0',
      o: '0',
      nought: '0',
      naught: '0',
      one: '1',
      two: '2',
      three: '3',
      four: '4',
      five: '5',
      six: '6',
      seven: '7',
      eight: '8',
      nine: '9',
      ten: '10',
      eleven: '11',
      twelve: '12',
      thirteen: '13',
      fourteen: '14',
      fifteen: '15',
      sixteen: '16',
      seventeen: '17',
      eighteen: '18',
      nineteen: '19',
    },
    tens: { twenty: 20, thirty: 30, forty: 40, fourty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90 },
    onesAndTens: null,
    hundred: /^hundred$/,
    thousand: /^thousand$/,
    plus: /^plus$/,
    double: /^double$/,
    triple: /^(?:triple|treble)$/,
  },
  question:
    /^(?:(?:and|so|okay|hi|hello|yes|well|uh|um|but|then|please) )*(?:what|whats|when|where|wheres|who|whos|why|which|how|hows|do|does|did|is|are|can|could|may|will|would|should|have|has|am)\b/,
  unfinished:
    /\b(?:my (?:phone |mobile )?number is|my name is|and|or|but|because|so|uh|um|uhm|er|erm|the|a|an|to|of|for|with|at|in|on|from|is|are|my|your|his|her|our|i|that|if|when|about|please tell|its|im|this is|like|also|then|plus|double|by|between|can you|could you|id like to|i would like to|i want to)$/,
};
