"""What a benchmark prints: figures with their limits, as a table or as lines of JSON."""
import json


class Report:
    """`failed` once a figure was outside its limit."""

    def __init__(self, as_json):
        self.as_json, self.failed = as_json, False

    def say(self, line):
        """Something for people to read."""
        if not self.as_json:
            print(line, flush=True)

    def judge(self, name, value, unit, most=None, least=None):
        """Whether the figure is within its limit; in JSON it is a line of its own."""
        within = (most is None or value <= most) and (least is None or value >= least)
        self.failed |= not within
        if self.as_json:
            verdict = "" if most is None and least is None else "ok" if within else "FAILED"
            line = {"name": name, "value": value, "unit": unit, "atMost": most, "atLeast": least, "verdict": verdict}
            print(json.dumps(line), flush=True)
        return within
