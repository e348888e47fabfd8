"""A classifier whose every weight is one bit, for your own table.

    python3 classifier.py [TABLE.csv]

TABLE.csv has one row per sample with its label in the last column; without it, scikit-learn's breast cancer data is
used. For comparison, logistic regression, whose weights are real numbers, runs on the same split.
"""
import sys

import numpy as np
import spinney
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

if len(sys.argv) > 1:
    table = np.genfromtxt(sys.argv[1], delimiter=",", dtype=str, skip_header=1)
    X, y = table[:, :-1].astype(float), table[:, -1]
else:
    X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=1)

one_bit = spinney.OneBitClassifier(random_state=1).fit(X_train, y_train)
real = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(X_train, y_train)
print(f"one-bit weights      {100 * one_bit.score(X_test, y_test):.1f}% of {len(y_test)} test samples")
print(f"logistic regression  {100 * real.score(X_test, y_test):.1f}%")
certain = one_bit.predict_proba(X_test[:3]).max(axis=1)
print("the first three:", one_bit.predict(X_test[:3]), "with probabilities", certain.round(3))
