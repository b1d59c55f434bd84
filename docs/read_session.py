"""read_session.py [--events] FOLDER/ID ...: what is intact of these sessions, by the rules of session-format.md."""
import collections, hashlib, json, os, re, sys
from zlib import crc32
Place, Record = (collections.namedtuple(*each) for each in (('Place', 'name number first last previous'), ('Record', 'seq durable event start sum')))
OPENING = re.compile(rb'{"format":1,"id":"([^"]*)","number":(\d+),"firstSeq":(\d+),"lastSeq":(\d+),"previousChecksum":"([0-9a-f]{8})","events":\[\n')
EVENT, FIELDS = re.compile(rb'{"type":"[^"]*","seq":(\d+),.*}\Z'), re.compile(rb'.{11},\d+,(\d+),(\d+),', re.S)
SEAM, RECORD = (re.compile(each, re.S) for each in (rb'\](?=.(?:\Z|\["[0-9a-f]{8}",\d+,\d+,\d+,{))', rb'.{11},\d+,\d+,\d+,{"'))
FORKED, SUM = re.compile(rb'"type":"session\.forked","seq":\d+,"at":"[^"]*","id":"([^"]+)","from":{"id":"([^"]+)"'), re.compile(rb'\["([0-9a-f]{8})"')
def shown_in(line): return int(found[1], 16) if (found := SUM.match(line)) else None
def sums_of(data, end=rb',"checksum":"([0-9a-f]{8})"}\n\Z'): return (int(found[1], 16), crc32(data[:-len(found[0])])) if (found := re.search(end, data[-64:])) else (None, 0)
def place_of(data): return (found := OPENING.match(data[:512])) and Place(found[1], *map(int, found.groups()[1:4]), int(found[5], 16))
def sum_with(place, events):  # the checksum of the segment that holds these events there
    return crc32(b'{"format":1,"id":"%s","number":%d,"firstSeq":%d,"lastSeq":%d,"previousChecksum":"%08x","events":[\n' % place + b',\n'.join(events) + b'\n],\n"eventChecksums":[' + b','.join(b'"%08x"' % crc32(each) for each in events) + b']')
def events_in(line, sums):  # one, or two where the byte between them was hit
    def fit(text): return next((text[:n] for n in range(len(text), max(len(text) - 5, 0), -1) if crc32(text[:n]) in sums), b'')
    cuts = [0, *(each.end() for each in re.finditer(rb'(?:},|\[).(?={")', line, re.S)), *[len(line)] * 9]
    found = (next(filter(None, (fit(line[cut:end]) for end in cuts[at + 1:at + 10])), b'') for at, cut in enumerate(cuts[:-9]))
    return [fit(line)] if fit(line) else [event for event in found if event]
def segment(data, name, number, previous):  # whether it is good here, and whole; its place, checksum and events
    place, (shown, has), lines = place_of(data), sums_of(data), data.removesuffix(b'\n').split(b'\n')
    fits = (ours := place is not None and (place.name.lower(), place.number) == (name.lower(), number)) and previous in (None, place.previous)
    if place and shown == has: return (True, True, place, shown, [each.removesuffix(b',') for each in lines[1:-2]]) if ours and previous in (None, place.previous) else (False, False, None, shown, [])
    sums = {int(each, 16) for each in re.findall(rb'"([0-9a-f]{8})"', lines[-1])}
    proven = [event for line in lines if line for event in events_in(line, sums)]
    alike = [each for each in (line.removesuffix(b',') for line in lines) if EVENT.match(each)]
    before = place.previous if place and previous is None else previous
    for events, by_seqs in ((proven, False), (alike, False), (proven, fits)) if before is not None else ():
        seqs = [int(EVENT.match(event)[1]) for event in events]
        for spelled in ([name, place.name] if ours else [name]) if seqs and seqs == [*range(seqs[0], seqs[0] + len(seqs))] else []:
            made = Place(spelled, number, seqs[0], seqs[-1], before)
            if sum_with(made, events) == shown or by_seqs and made[2:4] == place[2:4]:
                return True, False, made, sum_with(made, events), events
    return False, False, place if place and place.last - place.first < len(data) else None, shown, proven if fits else []
def journal(data, seeds, mark):  # its records, where its faults are, what these tell to have been acknowledged, whether a known seed proves it
    records, faults, told, unproven, known, proven = [], [], 0, None, seeds, False
    lines = [(each.start(), each[0]) for each in re.finditer(rb'[^\n]+', data)][::-1]
    while lines:
        start, line = lines.pop()
        fields, shown = FIELDS.match(line), shown_in(line)
        ends = [each for each in [len(line), *(seam.start() + 1 for seam in SEAM.finditer(line))] if fields and line[each - 1] == 93]
        end, seed = next(((end, seed) for end in ends for seed in seeds if crc32(line[11:end], seed) ^ mark == shown), (len(line), None))
        record = fields and Record(int(fields[1]), int(fields[2]), line[fields.end():end - 1], start, shown)
        if seed is not None:
            added = [unproven, record] if unproven and unproven.sum == seed else [record]
            proven, records = proven or not records and (len(added) == 2 or seed in known), records + added
            seeds, unproven, faults, lines = [shown], None, faults + [start + end][:len(line) - end], lines + [(start + end + 1, line[end + 1:])][:max(0, len(line) - end - 1)]
            continue
        faults.append(start)
        if fields and line[fields.end():].startswith(b'{"') and (not records or 0 < record.seq - records[-1].seq <= len(faults)): told = max(told, record.durable if record.durable < record.seq else 0)
        if len(line) > 11:
            unproven = record._replace(sum=crc32(line[11:], *seeds) ^ mark) if fields and line.endswith(b']') and len(seeds) == 1 else None
            known, seeds = ([*those, *(crc32(line[11:], each) ^ mark for each in those), *more][-8:] for those, more in ((known, []), (seeds, [] if shown is None else [shown])))
    return records, faults, told, proven
def is_others(name, data, records, faults):  # whether its first line shows another session, or two lines that fit the ones before them do
    lines, ids = [each for each in data.split(b'\n') if each], {each.lower() for named in re.findall(rb'"type":"session\.(?:opened|forked)"[^\n]*', data) for each in re.findall(rb'"id":"([A-Za-z0-9_-]+)"', named)} - {name.lower()}
    marks = collections.Counter(shown_in(two) ^ crc32(two[11:], shown_in(one)) for one, two in zip(lines, lines[1:]) if None not in (shown_in(one), shown_in(two)))
    return (not records or bool(faults) and faults[0] < records[0].start) and (any(shown_in(lines[0]) == crc32(lines[0][11:], crc32(each)) ^ mark for each in ids for mark in (crc32(each), 0)) or not records and any(marks[mark] > 1 for mark in marks if mark not in (crc32(name.lower()), 0)))
def is_older(records, faults, proven, sealed):  # of another history of this session
    last, same = [0, *sealed][-1], [sealed[each.seq] == each.event for each in records if each.seq in sealed]
    return bool(records) and not (proven and records[0].seq > last) and (not faults and records[-1].seq < last or not all(same) or not proven and not same and records[0].seq <= last + 1)
def behind(data, records):  # events in whole lines behind the last record; none where a sector of a write is missing there
    from_, last = (data.find(b'\n', records[-1].start) + 1, records[-1].start) if records else (0, -1)
    rest = [each for each in re.finditer(rb'[^\n]+', data) if each.start() > last]
    zeros = rest and any(data[at:at + 512] == bytes(512) for at in range(-max(from_, 65536) // 512 * -512, rest[-1].end() - 511, 512))
    torn = not rest or zeros or any(two.start() > one and (two.start() % 512 == 0 or one % 512 == 1) for one, two in zip([from_, *(each.end() + 1 for each in rest)], rest)) or rest[-1].end() % 512 == 0 and not rest[-1][0].endswith(b'}]')
    return 0 if torn or all(len(each[0]) < 64 for each in rest) else sum(not at or each[0][:2] == b'["' or bool(RECORD.match(each[0])) for at, each in enumerate(rest))
def read(path):
    stem, name = os.path.join(os.path.dirname(path) or '.', os.path.basename(path).lower()), os.path.basename(path).encode()
    def load(end): return open(stem + end, 'rb').read() if os.path.exists(stem + end) else b''
    numbers = sorted(int(each) for each in re.findall(rf'(?m)^{os.path.basename(stem)}\.([1-9]\d*)\.json$', '\n'.join(os.listdir(os.path.dirname(stem)))))
    files, saved, log, first = [load(f'.{each}.json') for each in numbers], load('.json'), load('.journal.jsonl'), crc32(name.lower())
    snapshot = json.loads(saved) if len({*sums_of(saved, rb',\n"checksum": "([0-9a-f]{8})"\n}\n\Z')}) == 1 else {}
    fits = snapshot.get('stateVersion') == 7 and snapshot['id'].encode().lower() == name.lower()
    store = snapshot['store'] if fits else {'segments': 0, 'lastSealedSeq': 0, 'chain': '%08x' % first}
    sealed, good, noted, taken = (int(store['chain'], 16), store['lastSealedSeq']), {0: (first, 0)}, {}, [(0, b'')]
    seeds, acknowledged, all_whole, own = [first, sealed[0]], snapshot['seq'] if fits else 0, True, {}
    links = FORKED.findall(b'\n'.join([*files, log])) + [(name, each) for each in re.findall(rb'"forkedFrom": ?{"id":"([^"]+)"', saved)] + [(new.name, old.name) for data, old, new in zip(files, map(place_of, files), map(place_of, files[1:])) if old and new and new.previous in (sums_of(data)[0], crc32(data[:-24]))]
    for each in (names := [name]): names += {old for new, old in links if new.lower() == each.lower() and old.lower() not in map(bytes.lower, names)}
    for number, data in zip(numbers, files):
        looks = [segment(data, each, number, crc32(each.lower()) if number == 1 else good.get(number - 1, [None])[0]) for each in names]
        is_good, whole, place, total, events = max(looks, key=lambda each: (each[0], bool(each[4])))
        all_whole, own, _ = all_whole and whole, {int(EVENT.match(each)[1]): each for each in events} or own, is_good and good.update({number: (total, place.last)})
        if place: noted[place.first - 1], acknowledged = place.previous, max(acknowledged, place.last)
        if total is not None: seeds, noted = [*seeds, total], {**noted, **({place.last: total} if place else {})}
        for seq, event in own.items() if events else (): taken += [(seq, event)] if seq > taken[-1][0] else []
    tries = [[noted.get(int(begins[1]) - 1, seeds[-1])], *([each] for each in [*seeds[:2], *[*seeds[2:], *noted.values()][-8:]])] if (begins := re.search(rb'(?m)^.{11},\d+,(\d+),\d+,', log)) else [[]]
    records, faults, told, proven = max((journal(log.rstrip(b'\n'), each, mark) for each in tries for mark in (first, 0)), key=lambda each: len(each[0]))
    if is_others(name, log, records, faults) or is_older(records, faults, proven, own): records, faults, told, log = [], [], 0, b''
    more, newest, end = behind(log.rstrip(b'\n'), records), max(taken[-1][0], records[-1].seq if records else 0), -1
    acknowledged = max([acknowledged, told, newest + more if more else 0, *(each.durable for each in records)])
    for record in records:
        if record.seq > taken[-1][0] + 1 > acknowledged: break
        taken, end = taken + [(record.seq, record.event)][:max(0, record.seq - taken[-1][0])], record.start
    seqs, events = [seq for seq, _ in taken], [event for _, event in taken[1:]]; missing = [[one + 1, next - 1] for one, next in zip(seqs, [*seqs[1:], max(acknowledged, seqs[-1]) + 1]) if next > one + 1]
    blobs = {(one.decode(), two.decode()) for one, two in re.findall(rb'"blob":"([0-9a-f]{64})(\.(?:txt|json))"', b'\n'.join([*events, saved if fits else b'']))}
    intact = ((fits or snapshot.get('stateVersion', 7) != 7 or not os.path.exists(stem + '.json')) and all(hashlib.sha256(load(f'.blobs/{one}{two}')).hexdigest() == one for one, two in blobs)
              and all_whole and not missing and log and len(log) % 512 == 0 and (log.rstrip(b'\0')[-2:] == b'\n\n' or len(log) % 65536 == 0) and not more and all(each > end for each in faults) and numbers == [*range(1, max([store['segments'], *numbers]) + 1)] and good.get(store['segments'], sealed) == sealed)
    verdict, digest = 'torn tail' if intact and faults else 'intact' if intact else 'damaged', hashlib.sha256(b''.join(event + b'\n' for event in events))
    return [json.dumps({'session': path, 'verdict': verdict, 'last': max(acknowledged, seqs[-1]), 'missing': missing, 'sha256': digest.hexdigest()})], [event.decode() for event in events]
for path in [each for each in sys.argv[1:] if each != '--events']: print(*read(path)['--events' in sys.argv], sep='\n')
